// Which steps count: warm-up is left out unless the user chose the steps.
#include "metrics/statistics/step_selection.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

// Ranks whose steps, numbered from `first`, have the given durations.
std::vector<RankTimeline> ranks_with(const std::vector<std::vector<Nanoseconds>>& durations, int64_t first = 0) {
  std::vector<RankTimeline> ranks;
  for (const auto& of_rank : durations) {
    RankTimeline& rank = ranks.emplace_back();
    Nanoseconds time = 0;
    for (Nanoseconds duration : of_rank) {
      RankStep& step = rank.steps.emplace_back();
      step.number = first + static_cast<int64_t>(rank.steps.size()) - 1;
      step.device = Interval{time, time + duration};
      time += duration;
    }
  }
  return ranks;
}

TEST(StepSelection, LeavesOutSlowFirstSteps) {
  const auto ranks = ranks_with({{900, 310, 100, 101, 99, 100, 102, 100}});
  const StepSelection steps = select_steps(ranks, std::nullopt);
  EXPECT_EQ(steps.warmup, 2u);
  EXPECT_EQ(steps.analysed.size(), 6u);
  EXPECT_EQ(steps.analysed.front().number, 2);
  EXPECT_FALSE(steps.has(1));
  EXPECT_TRUE(steps.has(2));
}

TEST(StepSelection, GoesByTheHostWhereNoRankHasDeviceTimes) {
  auto ranks = ranks_with({{900, 310, 100, 101, 99, 100, 102, 100}});
  for (RankStep& step : ranks[0].steps) {
    step.host = *step.device;
    step.device.reset();
  }
  const StepSelection steps = select_steps(ranks, std::nullopt);
  EXPECT_EQ(steps.warmup, 2u);
  EXPECT_FALSE(steps.analysed[0].device_ns);
  EXPECT_DOUBLE_EQ(steps.analysed[0].host_ns, 100);
}

TEST(StepSelection, KeepsASlowStepThatComesLater) {
  EXPECT_EQ(select_steps(ranks_with({{100, 900, 100, 101, 99, 100, 102, 100}}), std::nullopt).warmup, 0u);
}

TEST(StepSelection, CallsNothingWarmUpWhenFewStepsWereRecorded) {
  EXPECT_EQ(select_steps(ranks_with({{900, 310, 100, 101, 99, 100, 102}}), std::nullopt).warmup, 0u);
}

TEST(StepSelection, NeverCallsMoreThanHalfWarmUp) {
  EXPECT_EQ(select_steps(ranks_with({{900, 900, 900, 900, 900, 100, 100, 100, 100}}), std::nullopt).warmup, 4u);
}

TEST(StepSelection, TakesTheMeanOverTheRanksThatHaveAStep) {
  const StepSelection steps = select_steps(ranks_with({{100, 200}, {300}}), std::nullopt);
  ASSERT_EQ(steps.analysed.size(), 2u);
  EXPECT_DOUBLE_EQ(steps.analysed[0].device_ns.value(), 200);
  EXPECT_DOUBLE_EQ(steps.analysed[1].device_ns.value(), 200);
}

TEST(StepSelection, FollowsTheUsersChoiceEvenIntoTheWarmUp) {
  const auto ranks = ranks_with({{900, 310, 100, 101, 99, 100, 102, 100}}, 10);
  const StepSelection steps = select_steps(ranks, StepRange{11, 13});
  EXPECT_EQ(steps.warmup, 0u);
  EXPECT_EQ(steps.outside, 5u);
  EXPECT_EQ(steps.numbers, (std::set<int64_t>{11, 12, 13}));
}

}  // namespace
}  // namespace tauprof
