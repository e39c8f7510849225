#include "replay/chance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tauprof {
namespace {

TEST(ChanceTest, IsThatOfThePairedDifferences) {
  // Differences 1, −1, 2, −2: s = √(10/3), t of 3 degrees is 3.182.
  EXPECT_NEAR(chance_of_examples({11, 9, 12, 8}, {10, 10, 10, 10}), 3.182 * std::sqrt(10.0 / 3) / 2, 0.001);
}

TEST(ChanceTest, StepsThatDifferFromEachOtherByThemselvesAreNoChance) {
  EXPECT_EQ(chance_of_examples({100, 900, 100, 900}, {100, 900, 100, 900}), 0);
  EXPECT_NEAR(chance_of_examples({101, 901, 101, 901}, {100, 900, 100, 900}), 0, 1e-9) << "the same in each step";
}

TEST(ChanceTest, OnlyStepsThatTheRepairChangesVary) {
  const double two_of_four = chance_of_examples({11, 9, 50, 70}, {10, 10, 50, 70});
  EXPECT_NEAR(two_of_four, chance_of_examples({11, 9}, {10, 10}) / 2, 1e-9) << "of a mean over twice as many";
}

TEST(ChanceTest, StepsThatAreNotKnownMayBeAnyOfTheirKind) {
  EXPECT_EQ(chance_of_unknown_steps({1, 2, 3}, 3), 0) << "all are known";
  EXPECT_EQ(chance_of_unknown_steps({1, 9}, 3), 0) << "two do not tell";
  // s = 1, t of 2 degrees is 4.303.
  EXPECT_NEAR(chance_of_unknown_steps({1, 2, 3}, 6), 4.303 * std::sqrt(1.0 / 3 - 1.0 / 6), 0.001);
}

// Ten steps drawn from many: what others would take on average lies within the chance in 95 of 100 jobs.
TEST(ChanceTest, HoldsInNineteenOfTwentyJobs) {
  constexpr int kJobs = 2000, kSteps = 10;
  std::mt19937 random(1);
  std::normal_distribution<double> noise(1000, 30);
  const auto drawn = [&] {
    std::vector<double> steps(kSteps);
    for (double& step : steps) step = noise(random);
    return steps;
  };
  const auto mean = [](const std::vector<double>& steps) {
    double sum = 0;
    for (const double step : steps) sum += step;
    return sum / kSteps;
  };
  int covered = 0;
  for (int job = 0; job < kJobs; ++job) {
    const std::vector<double> replayed = drawn(), with_others = drawn(), in_truth = drawn();
    covered += std::abs(mean(replayed) - mean(in_truth)) <= chance_of_examples(replayed, with_others) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(covered) / kJobs, 0.95, 0.015);
}

}  // namespace
}  // namespace tauprof
