// Which rank delays which when operations hang.
#include "metrics/hangs/hang_search.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

using Ranks = std::vector<int32_t>;

// Ranks that have called an operation, with the time of the call, and ranks that have not called it.
HangingOperation operation(const char* communicator, std::vector<std::pair<int32_t, Nanoseconds>> called,
                           const Ranks& missing, int64_t group = 0) {
  HangingOperation made;
  made.communicator = communicator;
  for (const auto& [rank, time] : called) made.participants.push_back({rank, true, false, time, group});
  for (const int32_t rank : missing) made.participants.push_back({rank, false, false, 0, 0});
  return made;
}

std::vector<std::pair<int32_t, int32_t>> circle(const HangCauses& causes) {
  std::vector<std::pair<int32_t, int32_t>> result;
  for (const RankWait& wait : causes.deadlocks.at(0)) result.emplace_back(wait.rank, wait.for_rank);
  return result;
}

TEST(HangSearch, NamesAMissingRankThatWaitsForNobody) {
  const HangCauses causes = find_hang_causes({operation("A", {{0, 10}}, {1}), operation("B", {{1, 10}}, {2})});
  EXPECT_EQ(causes.not_come, (Ranks{2}));
  EXPECT_TRUE(causes.deadlocks.empty());
}

TEST(HangSearch, FindsACycleOfRanksThatWaitForEachOther) {
  const HangCauses causes = find_hang_causes(
      {operation("A", {{0, 10}}, {1}), operation("B", {{1, 10}}, {2}), operation("C", {{2, 10}}, {0})});
  EXPECT_TRUE(causes.not_come.empty());
  EXPECT_EQ(circle(causes), (std::vector<std::pair<int32_t, int32_t>>{{0, 1}, {1, 2}, {2, 0}}));
}

TEST(HangSearch, FindsCallsInADifferentOrder) {
  const HangCauses causes =
      find_hang_causes({operation("A", {{0, 10}, {1, 20}}, {}), operation("B", {{0, 20}, {1, 10}}, {})});
  EXPECT_TRUE(causes.not_come.empty());
  ASSERT_EQ(causes.deadlocks.size(), 1u);
  EXPECT_EQ(causes.deadlocks[0][0].communicator, "A") << "rank 0 is in the first one that it called";
  EXPECT_EQ(circle(causes), (std::vector<std::pair<int32_t, int32_t>>{{0, 1}, {1, 0}}));
}

TEST(HangSearch, TreatsTheCallsOfOneGroupAsConcurrent) {
  const HangCauses causes =
      find_hang_causes({operation("A", {{0, 10}, {1, 20}}, {}, 7), operation("B", {{0, 20}, {1, 10}}, {}, 7)});
  EXPECT_TRUE(causes.deadlocks.empty());
}

TEST(HangSearch, FindsNoDeadlockWhenOneRankWaitsForAThird) {
  const HangCauses causes = find_hang_causes(
      {operation("A", {{0, 10}, {1, 20}}, {}), operation("B", {{0, 20}, {1, 10}}, {}), operation("C", {{1, 5}}, {2})});
  EXPECT_EQ(causes.not_come, (Ranks{2}));
  EXPECT_TRUE(causes.deadlocks.empty());
}

TEST(HangSearch, LeavesMismatchesToTheOtherSearches) {
  HangingOperation different = operation("A", {{0, 10}, {1, 10}, {2, 10}}, {});
  different.participants[1].is_different = true;
  const HangCauses causes = find_hang_causes({different});
  EXPECT_TRUE(causes.not_come.empty());
  EXPECT_TRUE(causes.deadlocks.empty());
}

TEST(HangSearch, ReportsNothingWhenAllRanksMadeTheSameCalls) {
  const HangCauses causes = find_hang_causes({operation("A", {{0, 10}, {1, 20}}, {})});
  EXPECT_TRUE(causes.not_come.empty());
  EXPECT_TRUE(causes.deadlocks.empty());
}

}  // namespace
}  // namespace tauprof
