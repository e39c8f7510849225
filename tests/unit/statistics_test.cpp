// Statistics of times: interpolated quantiles, the population's deviation.
#include "metrics/statistics/statistics.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

TEST(Statistics, InterpolatesBetweenTheClosestSamples) {
  const Statistics of = statistics_of({4, 1, 2, 3});
  EXPECT_EQ(of.count, 4u);
  EXPECT_DOUBLE_EQ(of.mean, 2.5);
  EXPECT_DOUBLE_EQ(of.median, 2.5);
  EXPECT_DOUBLE_EQ(of.p95, 3.85);
  EXPECT_DOUBLE_EQ(of.min, 1);
  EXPECT_DOUBLE_EQ(of.max, 4);
}

TEST(Statistics, DividesTheDeviationByTheNumberOfSamples) {
  EXPECT_DOUBLE_EQ(statistics_of({1, 3}).stddev, 1);
  EXPECT_DOUBLE_EQ(statistics_of({5, 5, 5}).stddev, 0);
}

TEST(Statistics, OfOneSampleEqualIt) {
  const Statistics of = statistics_of({7});
  EXPECT_DOUBLE_EQ(of.median, 7);
  EXPECT_DOUBLE_EQ(of.p95, 7);
  EXPECT_DOUBLE_EQ(of.stddev, 0);
}

TEST(Statistics, OfNoSamplesHaveACountOfZero) { EXPECT_EQ(statistics_of({}).count, 0u); }

TEST(Statistics, DoNotOverflowOnLongTimes) {
  constexpr Nanoseconds kCentury = 3'155'760'000'000'000'000;
  EXPECT_DOUBLE_EQ(statistics_of({kCentury, kCentury, kCentury, kCentury}).mean, static_cast<double>(kCentury));
}

}  // namespace
}  // namespace tauprof
