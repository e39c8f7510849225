// Whether two sides differ by more than chance: known values of the tests, and how often they are right.
#include "metrics/statistics/mean_comparison.h"

#include <gtest/gtest.h>

#include "limits/analysis_limits.h"
#include "metrics/statistics/block_bootstrap.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/false_discovery.h"
#include "noisy_series.h"

namespace tauprof {
namespace {

constexpr int kPairs = 20;

TEST(StudentsT, HasItsTabulatedValues) {
  EXPECT_NEAR(two_sided_p(2.228, 10), 0.05, 1e-4);
  EXPECT_NEAR(two_sided_p(-2.228, 10), 0.05, 1e-4);
  EXPECT_NEAR(t_quantile(0.975, 2), 4.303, 1e-3);
  EXPECT_NEAR(normal_cdf(1.96), 0.975, 1e-4);
}

SideSeries runs(const std::vector<double>& means) {
  SideSeries series;
  for (const double mean : means) series.push_back({mean, mean});
  return series;
}

TEST(MeanComparison, OfSeveralRunsIsWelchsTest) {
  // scipy.stats.ttest_ind([10, 12, 11, 13], [9, 9.5, 8.5], equal_var=False)
  const MeanComparison of = compare_means(runs({10, 12, 11, 13}), runs({9, 9.5, 8.5}));
  EXPECT_EQ(of.units, Units::kRuns);
  EXPECT_NEAR(of.test->t, 3.535533906, 1e-6);
  EXPECT_NEAR(of.test->degrees, 4.075471698, 1e-6);
  EXPECT_NEAR(of.test->p, 0.023376768, 1e-6);
}

TEST(MeanComparison, OfOneRunAgainstSeveralTakesTheirVarianceForBoth) {
  const MeanComparison of = compare_means(runs({12}), runs({9, 10, 11}));
  EXPECT_DOUBLE_EQ(of.test->degrees, 2);
  EXPECT_NEAR(of.test->standard_error, std::sqrt(1 + 1.0 / 3), 1e-9);
}

TEST(MeanComparison, DoesNotBelieveRunsThatAgreeByChance) {
  SideSeries a, b;
  for (const uint64_t seed : {1, 2}) {
    a.push_back(noisy_series(100, 100, {3, 0}, seed));
    b.push_back(noisy_series(100, 100, {3, 0}, seed));
  }
  for (double& value : a[1]) value += mean_of_series(a[0]).mean - mean_of_series(a[1]).mean;  // now they agree
  const MeanComparison of = compare_means(a, b);
  EXPECT_GT(of.test->standard_error, 0.8 * 3 / std::sqrt(200));
}

TEST(MeanComparison, OfARunWithItselfFindsNothing) {
  const SideSeries run{noisy_series(500, 100, {3, 0.7}, 1)};
  const MeanComparison of = compare_means(run, run);
  EXPECT_EQ(of.difference(), 0);
  EXPECT_DOUBLE_EQ(of.test->p, 1);
  const Range interval = *bootstrap_interval(run, run);
  EXPECT_LT(interval.low, 0);
  EXPECT_GT(interval.high, 0);
}

TEST(MeanComparison, OfTooFewStepsIsNotJudged) {
  const auto steps = [](size_t count) { return SideSeries{noisy_series(count, 100, {3, 0}, count)}; };
  EXPECT_FALSE(compare_means(steps(kFewestStepsToJudge - 1), steps(1000)).test.has_value());
  EXPECT_FALSE(compare_means(steps(1000), steps(kFewestStepsToJudge - 1)).test.has_value());
  EXPECT_TRUE(compare_means(steps(kFewestStepsToJudge), steps(kFewestStepsToJudge)).test.has_value());
}

TEST(MeanComparison, OfStepsWithoutAnyNoiseIsCertain) {
  const SideSeries a{std::vector<double>(50, 101.0)}, b{std::vector<double>(50, 100.0)};
  EXPECT_DOUBLE_EQ(compare_means(a, b).test->p, 0);
  EXPECT_DOUBLE_EQ(compare_means(a, a).test->p, 1);
}

struct Case {
  size_t steps;
  double memory;
};

class PairsOfRuns : public testing::TestWithParam<Case> {
 protected:
  // In how many pairs A seems slower than B, or faster; A is `ratio` times as slow, with noise of 3 % a step.
  struct Found {
    int slower = 0;
    int faster = 0;
  };
  Found compare(double ratio) const {
    Found found;
    for (uint64_t seed = 1; seed <= kPairs; ++seed) {
      const SideSeries a{noisy_series(GetParam().steps, 100 * ratio, {3 * ratio, GetParam().memory}, seed)};
      const SideSeries b{noisy_series(GetParam().steps, 100, {3, GetParam().memory}, 1000 + seed)};
      const MeanComparison of = compare_means(a, b);
      const Range interval = *bootstrap_interval(a, b);
      if (of.test->p > 1 - kConfidence || interval.low * interval.high <= 0) continue;
      ++(of.difference() > 0 ? found.slower : found.faster);
    }
    return found;
  }
};

TEST_P(PairsOfRuns, ThatDifferByOnePerCentAreToldApart) {
  const Found found = compare(1.01);
  EXPECT_GE(found.slower, 18);
  EXPECT_EQ(found.faster, 0);
}

TEST_P(PairsOfRuns, ThatAreEqualHardlySeemToDiffer) {
  const Found found = compare(1);
  EXPECT_LE(found.slower + found.faster, 2);
}

INSTANTIATE_TEST_SUITE_P(WithNoise, PairsOfRuns, testing::Values(Case{1000, 0.5}, Case{2000, 0.7}));

TEST(PairsOfGroups, OfEqualRunsThatVaryByThemselvesHardlySeemToDiffer) {
  // Runs differ by 1 % from each other; their steps alone would make nearly every pair of groups significant.
  const auto group = [](uint64_t seed) {
    SideSeries side;
    const std::vector<double> levels = noisy_series(3, 100, {1, 0}, 5000 + seed);
    for (const double level : levels) side.push_back(noisy_series(200, level, {0.5, 0}, ++seed * 7919));
    return side;
  };
  int found = 0;
  for (uint64_t seed = 1; seed <= kPairs; ++seed)
    found += compare_means(group(10 * seed), group(10 * seed + 5)).test->p <= 1 - kConfidence;
  EXPECT_LE(found, 2);
}

TEST(BlockBootstrap, DrawsLongerBlocksWhereStepsHangTogether) {
  EXPECT_EQ(block_length(1000, 1), 1u);
  EXPECT_EQ(block_length(1000, 5.7), 23u);
  EXPECT_EQ(block_length(40, 20), 10u);  // a quarter at most
}

TEST(BlockBootstrap, DrawsNoConclusionsFromAFewRuns) {
  EXPECT_FALSE(bootstrap_interval(runs({1, 2, 3, 4}), runs({1, 2, 3, 4})).has_value());
  EXPECT_TRUE(bootstrap_interval(runs({1, 2, 3, 4, 5}), runs({1, 2, 3, 4, 5})).has_value());
}

TEST(FalseDiscovery, AsksMoreOfEachOfManyTests) {
  const std::vector<double> adjusted = adjusted_for_many({0.2, 0.01, 0.04});
  EXPECT_NEAR(adjusted[0], 0.2, 1e-12);
  EXPECT_NEAR(adjusted[1], 0.03, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-12);
  EXPECT_TRUE(adjusted_for_many({}).empty());
}

}  // namespace
}  // namespace tauprof
