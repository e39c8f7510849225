// How many independent values a series of steps is worth.
#include "metrics/statistics/autocorrelation.h"

#include <gtest/gtest.h>

#include "noisy_series.h"

namespace tauprof {
namespace {

TEST(Autocorrelation, OfIndependentStepsIsNone) {
  EXPECT_LT(autocorrelation_time(noisy_series(2000, 100, {3, 0}, 1)), 1.2);
}

TEST(Autocorrelation, GrowsWithWhatAStepHandsOn) {
  // For noise of which φ is handed on, τ = (1 + φ) / (1 − φ).
  constexpr int kSeries = 20;
  for (const double memory : {0.3, 0.5, 0.7, 0.9}) {
    const double time = (1 + memory) / (1 - memory);
    double mean = 0;
    for (int seed = 1; seed <= kSeries; ++seed)
      mean += autocorrelation_time(noisy_series(4000, 100, {3, memory}, seed)) / kSeries;
    EXPECT_NEAR(mean, time, 0.15 * time) << memory;
  }
}

TEST(Autocorrelation, OfALongSeriesIsFoundInItsAverages) {
  EXPECT_NEAR(autocorrelation_time(noisy_series(100'000, 100, {3, 0.9}, 1)), 19, 3);
  EXPECT_LT(autocorrelation_time(noisy_series(100'000, 100, {3, 0}, 1)), 1.2);
}

TEST(Autocorrelation, NeverMakesAlternatingStepsCountForMoreThanTheyAre) {
  std::vector<double> steps;
  for (int i = 0; i < 100; ++i) steps.push_back(i % 2 == 0 ? 100 : 110);
  EXPECT_DOUBLE_EQ(autocorrelation_time(steps), 1);
}

TEST(Autocorrelation, LeavesTwoValuesOfATrend) {
  std::vector<double> steps;
  for (int i = 0; i < 100; ++i) steps.push_back(100 + i);
  EXPECT_LT(mean_of_series(steps).effective_count, 4);
}

TEST(Autocorrelation, OfEqualStepsIsNone) {
  const SeriesMean mean = mean_of_series(std::vector<double>(50, 7.0));
  EXPECT_DOUBLE_EQ(mean.mean, 7);
  EXPECT_DOUBLE_EQ(mean.effective_count, 50);
  EXPECT_DOUBLE_EQ(mean.variance_of_mean, 0);
}

TEST(Autocorrelation, GivesIndependentStepsTheUsualVarianceOfTheMean) {
  EXPECT_DOUBLE_EQ(mean_of_series({1, 2, 3}).variance_of_mean, 1.0 / 3);
}

}  // namespace
}  // namespace tauprof
