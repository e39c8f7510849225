// Whose link is slow, and when.
#include "metrics/stragglers/slow_links.h"

#include <gtest/gtest.h>

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

  // Each communicator makes a few transfers; those in `slow` take twice as long.
  void step(int32_t number, int slow, int transfers = kTransfers) {
    for (int rank = 0; rank < kRanks; ++rank) {
      if (number > 0) run.ranks()[rank].steps.push_back({.number = number});
      for (int i = 0; i < transfers; ++i)
        for (const uint64_t communicator : {tensor_group(rank), data_group(rank)}) {
          const bool is_slow = communicator == tensor_group(slow) || communicator == data_group(slow);
          const Nanoseconds start = 1'000 * number + 100 * i;
          RankCollective& own = run.collective(rank, start, start + (is_slow ? 20 : 10), communicator);
          own.communicator_size = kSide;
          own.step = number;
        }
    }
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

TEST_F(SlowLinksTest, AreJudgedOverTheRunWhenStepsHaveFewTransfers) {
  for (const int32_t number : {0, 1, 2, 3}) step(number, 6, 1);
  EXPECT_EQ(culprits(), (Found{{0, {6}}, {1, {6}}, {2, {6}}, {3, {6}}}));
}

// Without what the run says about the data groups, any rank of the slow tensor group might be the culprit.
TEST_F(SlowLinksTest, AreJudgedOverTheRunForCommunicatorsWithFewTransfersInAStep) {
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
