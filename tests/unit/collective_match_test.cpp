// Which collectives of different ranks belong together.
#include "metrics/collectives/collective_match.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;
using Matches = std::vector<std::vector<std::pair<uint32_t, uint32_t>>>;

constexpr Operation kPattern[] = {Operation::kAllToAll, Operation::kAllReduce, Operation::kAllReduce,
                                  Operation::kAllGather};

// The rank records `count` of the job's collectives, starting at `first`, without sequence numbers.
void record(RunBuilder& run, int rank, int first, int count) {
  for (int i = first; i < first + count; ++i)
    run.collective(rank, 100 * i + rank, 100 * i + 50, 1, kPattern[i % 4], 1000 + i % 4);
}

TEST(CollectiveMatch, UsesSequenceNumbersWhenAllRanksHaveThem) {
  RunBuilder run(2);
  for (int64_t sequence : {1, 2, 3}) run.collective(0, 100 * sequence, 100 * sequence + 10).sequence = sequence;
  for (int64_t sequence : {2, 4}) run.collective(1, 100 * sequence, 100 * sequence + 10).sequence = sequence;
  EXPECT_EQ(run.matched(), (Matches{{{0, 0}}, {{0, 1}, {1, 0}}, {{0, 2}}, {{1, 1}}}));
}

TEST(CollectiveMatch, AlignsARankThatStartsLateWithTheEnd) {
  RunBuilder run(2);
  record(run, 0, 0, 31);
  record(run, 1, 4, 27);
  const Matches matches = run.matched();
  ASSERT_EQ(matches.size(), 31u);
  EXPECT_EQ(matches[3], (Matches::value_type{{0, 3}}));
  EXPECT_EQ(matches[4], (Matches::value_type{{0, 4}, {1, 0}}));
  EXPECT_EQ(matches[30], (Matches::value_type{{0, 30}, {1, 26}}));
}

TEST(CollectiveMatch, AlignsARankThatStopsEarlyWithTheStart) {
  RunBuilder run(2);
  record(run, 0, 0, 7);
  record(run, 1, 0, 5);
  const Matches matches = run.matched();
  ASSERT_EQ(matches.size(), 7u);
  EXPECT_EQ(matches[0], (Matches::value_type{{0, 0}, {1, 0}}));
  EXPECT_EQ(matches[4], (Matches::value_type{{0, 4}, {1, 4}}));
  EXPECT_EQ(matches[6], (Matches::value_type{{0, 6}}));
}

// Experts that get more tokens in turns: shifted by one, all counts would be the same.
TEST(CollectiveMatch, RanksMayHavePartsOfTheirOwnInAnAllToAll) {
  RunBuilder run(2);
  for (const int rank : {0, 1})
    for (int i = 0; i < 8; ++i)
      run.collective(rank, 100 * i + rank, 100 * i + 50, 7, log::Operation::kAllToAll, i % 2 == rank ? 1000 : 1500);
  const auto matched = run.matched();
  ASSERT_EQ(matched.size(), 8u);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(matched[i], (std::vector<std::pair<uint32_t, uint32_t>>{{0, i}, {1, i}}));
}

TEST(CollectiveMatch, UsesTimesWhenAllCollectivesAreAlike) {
  RunBuilder run(2);
  for (int i = 0; i < 8; ++i) run.collective(0, 100 * i, 100 * i + 50);
  for (int i = 2; i < 6; ++i) run.collective(1, 100 * i + 5, 100 * i + 50);
  const Matches matches = run.matched();
  ASSERT_EQ(matches.size(), 8u);
  EXPECT_EQ(matches[2], (Matches::value_type{{0, 2}, {1, 0}}));
  EXPECT_EQ(matches[6], (Matches::value_type{{0, 6}}));
}

TEST(CollectiveMatch, LeavesWhatHasNoPartnerAloneInTheMiddle) {
  constexpr Nanoseconds kEvery = 1'000'000, kApart = 130'000;
  RunBuilder run(3);
  for (int i = 0; i < 40; ++i)
    for (const int rank : {0, 1, 2}) {
      const bool is_lost = (rank == 0 && i == 7) || (rank == 1 && i == 20) || (rank == 2 && (i == 20 || i == 31));
      const Nanoseconds begin = kEvery * i + kApart * rank;
      if (!is_lost) run.collective(rank, begin, begin + 50'000);
    }
  const Matches matches = run.matched();
  ASSERT_EQ(matches.size(), 40u);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(matches[i].size(), i == 7 || i == 31 ? 2u : i == 20 ? 1u : 3u) << i;
    for (const auto& [rank, index] : matches[i])
      EXPECT_EQ(run.ranks()[rank].collectives[index].start / kEvery, static_cast<Nanoseconds>(i));
  }
}

TEST(CollectiveMatch, KeepsTheOrderWhereRanksDoNotDoTheSame) {
  constexpr Nanoseconds kEvery = 1'000'000;
  RunBuilder run(2);
  for (int i = 0; i < 20; ++i) run.collective(0, kEvery * i, kEvery * i + 50'000);
  for (int i = 0; i < 20; ++i) run.collective(1, 777'000 * i, 777'000 * i + 50'000);
  EXPECT_EQ(run.matched().size(), 20u);
}

TEST(CollectiveMatch, PairsMessagesByTheHostsNumbers) {
  RunBuilder run(2);
  for (const int number : {1, 3})
    run.message(0, 100 * number, 100 * number + 50, 1, true).rare.edit().peer_calls[0].number = number;
  for (const int number : {1, 2, 3})
    run.message(1, 100 * number, 100 * number + 50, 0, false).rare.edit().peer_calls[0].number = number;
  EXPECT_EQ(run.matched(), (Matches{{{0, 0}, {1, 0}}, {{1, 1}}, {{0, 1}, {1, 2}}}));
}

TEST(CollectiveMatch, KeepsCommunicatorsApart) {
  RunBuilder run(2);
  run.collective(0, 100, 110, 7);
  run.collective(0, 200, 210, 8);
  run.collective(1, 100, 110, 8);
  run.collective(1, 200, 210, 7);
  EXPECT_EQ(run.matched(), (Matches{{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}));
}

TEST(CollectiveMatch, PairsMessagesFirstInFirstOut) {
  RunBuilder run(2);
  run.message(0, 100, 110, 1, true);
  run.message(0, 200, 210, 1, true);
  run.message(0, 300, 310, 1, false);
  run.message(1, 90, 110, 0, true);
  run.message(1, 150, 210, 0, false);
  EXPECT_EQ(run.matched(), (Matches{{{0, 0}, {1, 1}}, {{0, 1}}, {{1, 0}, {0, 2}}}));
}

TEST(CollectiveMatch, ExpectsTheMembersOfTheCommunicator) {
  RunBuilder run(4);
  for (int rank : {0, 1}) run.collective(rank, 100, 110).communicator_size = 2;
  for (int rank : {2, 3}) run.collective(rank, 100, 110, 2).communicator_size = 3;
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_TRUE(matches[0].is_complete());
  EXPECT_FALSE(matches[1].is_complete());
}

TEST(CollectiveMatch, ExpectsAllRanksWhenTheCommunicatorHasNoName) {
  RunBuilder run(3);
  for (int rank : {0, 1}) run.collective(rank, 100, 110, 0);
  EXPECT_EQ(match_collectives(run.ranks()).at(0).expected, 3);
}

TEST(CollectiveMatch, TakesUnknownArgumentsFromThePeers) {
  RunBuilder run(2);
  run.collective(0, 100, 110, 1, Operation::kUnknown, 0);
  run.collective(1, 100, 110, 1, Operation::kAllGather, 500);
  const MatchedCollective match = match_collectives(run.ranks()).at(0);
  EXPECT_EQ(match.operation, Operation::kAllGather);
  EXPECT_EQ(match.count, 500);
}

}  // namespace
}  // namespace tauprof
