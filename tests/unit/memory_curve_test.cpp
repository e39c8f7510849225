// The curve of a rank's memory in the report: bounded, and no peak is lost.
#include "report/memory_curve.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tauprof {
namespace {

std::vector<MemoryAtStep> Steps(int64_t count, int64_t bytes = 100) {
  std::vector<MemoryAtStep> steps;
  for (int64_t number = 0; number < count; ++number) steps.push_back({number, bytes});
  return steps;
}

std::vector<int64_t> Numbers(const std::vector<MemoryAtStep>& points) {
  std::vector<int64_t> numbers;
  for (const MemoryAtStep& point : points) numbers.push_back(point.step);
  return numbers;
}

TEST(MemoryCurveTest, KeepsEveryStepOfAShortRun) { EXPECT_EQ(points_of_curve(Steps(130)).size(), 130u); }

TEST(MemoryCurveTest, KeepsAsManyOfALongRunAsOfAVeryLongOne) {
  EXPECT_EQ(points_of_curve(Steps(1'000)).size(), 130u);
  EXPECT_EQ(points_of_curve(Steps(100'000)).size(), 130u);
}

TEST(MemoryCurveTest, KeepsASingleStepThatTakesMoreOrLess) {
  auto steps = Steps(10'000);
  steps[4'321].bytes = 900;
  steps[4'322].bytes = 7;
  const std::vector<int64_t> numbers = Numbers(points_of_curve(steps));
  EXPECT_NE(std::find(numbers.begin(), numbers.end(), 4'321), numbers.end());
  EXPECT_NE(std::find(numbers.begin(), numbers.end(), 4'322), numbers.end());
}

TEST(MemoryCurveTest, GoesFromTheFirstStepToTheLastInOrder) {
  auto steps = Steps(1'000);
  for (MemoryAtStep& step : steps) step.bytes = (step.step * 37) % 101;
  const std::vector<int64_t> numbers = Numbers(points_of_curve(steps));
  EXPECT_EQ(numbers.front(), 0);
  EXPECT_EQ(numbers.back(), 999);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace
}  // namespace tauprof
