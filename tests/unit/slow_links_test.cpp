// Whose link is slow, and when.
#include "metrics/stragglers/slow_links.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "run_builder.h"

namespace tauprof {
namespace {

constexpr int kSide = 4;  // of the grid

uint64_t tensor_group(int rank) { return 1 + static_cast<uint64_t>(rank / kSide); }
uint64_t data_group(int rank) { return 11 + static_cast<uint64_t>(rank % kSide); }

// A grid of four tensor groups and four data groups.
class SlowLinksTest : public testing::Test {
 protected:
  using Found = std::map<int32_t, std::set<uint32_t>>;
  static constexpr int kRanks = 4 * kSide, kTransfers = 4;

  SlowLinksTest() : run(kRanks) {}

  // Each communicator makes a few transfers; those of the rank whose link is slow take twice as long.
  void step(int32_t number, int slow, int transfers = kTransfers) {
    if (number > 0)
      for (RankTimeline& rank : run.ranks()) rank.steps.push_back({.number = number});
    transfer(number, 0, transfers, slow);
  }
  // In an earlier step: the transfers from `first` to before `last`.
  void transfer(int32_t number, int first, int last, int slow) {
    for (int rank = 0; rank < kRanks; ++rank) {
      for (int i = first; i < last; ++i)
        for (const uint64_t communicator : {tensor_group(rank), data_group(rank)}) {
          const bool is_slow = communicator == tensor_group(slow) || communicator == data_group(slow);
          const Nanoseconds start = 1'000 * number + 100 * i;
          RankCollective& own = run.collective(rank, start, start + (is_slow ? 20 : 10), communicator);
          own.communicator_size = kSide;
          own.step = number;
        }
    }
  }
  // Of each collective of the rank in one of its communicators.
  std::vector<uint32_t> culprits_in(uint64_t communicator, uint32_t rank) {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const SlowLinks links(run.ranks(), matches);
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < matches.size(); ++i)
      for (const CollectiveMember& member : matches[i].members)
        if (matches[i].communicator == communicator && member.rank == rank) found.push_back(links.culprit(i));
    return found;
  }
  // By step: the rank that each communicator's collectives are blamed on.
  std::map<int32_t, std::set<uint32_t>> culprits() {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const SlowLinks links(run.ranks(), matches);
    std::map<int32_t, std::set<uint32_t>> found;
    for (uint32_t i = 0; i < matches.size(); ++i) {
      const CollectiveMember& member = matches[i].members.front();
      if (links.culprit(i) != kNoIndex)
        found[run.ranks()[member.rank].collectives[member.collective].step].insert(links.culprit(i));
    }
    return found;
  }

  RunBuilder run;
};

TEST_F(SlowLinksTest, MatchTheHeadersExample) {
  step(0, 6);
  EXPECT_EQ(culprits(), (Found{{0, {6}}}));
}

TEST_F(SlowLinksTest, AreJudgedStepByStep) {
  step(0, 6);
  step(1, 9);
  step(2, 6);
  EXPECT_EQ(culprits(), (Found{{0, {6}}, {1, {9}}, {2, {6}}}));
}

// Over the whole step, both links are slow, and so are the communicators of two ranks that share them.
TEST_F(SlowLinksTest, MayChangeWithinAStep) {
  step(0, 6, 6);
  transfer(0, 6, 12, 9);
  const std::vector<uint32_t> early{6, 6, 6, 6, 6, 6, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex};
  const std::vector<uint32_t> late{kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, 9, 9, 9, 9, 9, 9};
  EXPECT_EQ(culprits_in(tensor_group(6), 6), early);
  EXPECT_EQ(culprits_in(data_group(6), 6), early);
  EXPECT_EQ(culprits_in(tensor_group(9), 9), late);
  EXPECT_EQ(culprits_in(data_group(9), 9), late);
}

// Rank 7 is in the tensor group of rank 6 and in the data group of rank 11.
TEST_F(SlowLinksTest, AreToldApartBetweenTransfersOfAnotherCommunicator) {
  const auto only_tensor_groups_before = [&](int32_t number, Nanoseconds start) {
    for (RankTimeline& rank : run.ranks())
      std::erase_if(rank.collectives, [&](const RankCollective& own) {
        return own.step == number && own.start < start && own.communicator == data_group(rank.rank);
      });
  };
  step(0, 6, 10);
  only_tensor_groups_before(0, 500);
  step(1, 6, 4);
  transfer(1, 4, 10, 11);
  only_tensor_groups_before(1, 1'500);
  std::vector<uint32_t> slow_until_then(20, kNoIndex);
  std::fill_n(slow_until_then.begin(), 14, 6);
  EXPECT_EQ(culprits_in(tensor_group(6), 6), slow_until_then);
}

// Of all transfers, a few that take long are nobody's link.
TEST_F(SlowLinksTest, AreNotToldByASingleTransfer) {
  step(0, 6, 2);
  transfer(0, 2, 3, 9);
  transfer(0, 3, 12, 6);
  EXPECT_EQ(culprits(), (Found{{0, {6}}}));
}

// The large ones show what a link can carry, and take most of the time.
TEST_F(SlowLinksTest, AreToldByLargeTransfersAmongManySmallOnes) {
  step(0, 6, 12);
  for (RankTimeline& rank : run.ranks())
    for (RankCollective& own : rank.collectives)
      if (own.start % 300 != 0) own.count = 1, own.end = own.start + 2;
  EXPECT_EQ(culprits(), (Found{{0, {6}}}));
}

TEST_F(SlowLinksTest, AreJudgedOverStepsWhenEachHasFewTransfers) {
  for (const int32_t number : {0, 1, 2, 3}) step(number, 6, 1);
  EXPECT_EQ(culprits(), (Found{{0, {6}}, {1, {6}}, {2, {6}}, {3, {6}}}));
}

// Without what other steps say about the data groups, any rank of the slow tensor group might be the culprit.
TEST_F(SlowLinksTest, AreJudgedOverStepsForCommunicatorsWithFewTransfersInEach) {
  for (const int32_t number : {0, 1, 2, 3}) step(number, 6);
  for (RankTimeline& rank : run.ranks()) {
    std::map<std::pair<uint64_t, int32_t>, int> seen;
    std::erase_if(rank.collectives, [&](const RankCollective& own) {
      return own.communicator == data_group(rank.rank) && ++seen[{own.communicator, own.step}] > 1;
    });
  }
  EXPECT_EQ(culprits(), (Found{{0, {6}}, {1, {6}}, {2, {6}}, {3, {6}}}));
}

TEST_F(SlowLinksTest, AreTwoWhenTwoRanksAreSlowInEveryCommunicatorOfTheirs) {
  step(0, 6);
  for (RankTimeline& rank : run.ranks())
    for (RankCollective& own : rank.collectives)
      if (own.communicator == data_group(7)) own.end = own.start + 20;
  EXPECT_EQ(culprits(), (Found{{0, {6, 7}}}));
}

TEST_F(SlowLinksTest, AreNobodysWhenAllMembersAreFastElsewhere) {
  step(0, 6);
  for (RankTimeline& rank : run.ranks())
    for (RankCollective& own : rank.collectives)
      if (own.communicator == data_group(6)) own.end = own.start + 10;
  EXPECT_EQ(culprits(), Found{});
}

}  // namespace
}  // namespace tauprof
