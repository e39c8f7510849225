// The telemetry of each rank, and when steps follow it.
#include "metrics/telemetry/telemetry_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "noisy_series.h"

namespace tauprof {
namespace {

// Two ranks with a hundred steps.
class TelemetryTableTest : public testing::Test {
 protected:
  static constexpr int64_t kSteps = 100;

  TelemetryTableTest() : ranks(2) {
    for (int64_t number = 0; number < kSteps; ++number) {
      steps.analysed.push_back({number, 100e6});
      steps.numbers.insert(number);
    }
    for (int32_t rank = 0; rank < 2; ++rank) {
      ranks[rank].rank = rank;
      ranks[rank].device_name = "H200";
      ranks[rank].steps.resize(kSteps);
      for (int64_t number = 0; number < kSteps; ++number) ranks[rank].steps[number].number = number;
    }
  }
  void clock(size_t rank, int64_t step, double mhz) { ranks[rank].steps[step].health.sm_clock_mhz = mhz; }
  std::vector<TelemetryOfRank> table() const { return telemetry_table({&ranks[0], &ranks[1]}, steps); }

  std::vector<RankTimeline> ranks;
  StepSelection steps;
};

TEST_F(TelemetryTableTest, StepsFollowAClockThatFallsAgainAndAgain) {
  for (int64_t step = 0; step < kSteps; ++step) {
    const bool is_low = step / 2 % 2 == 1;
    clock(0, step, 1980);
    clock(1, step, is_low ? 1400 : 1980);
    steps.analysed[step].device_ns = is_low ? 130e6 : 100e6;
  }
  const std::vector<TelemetryOfRank> found = table();
  EXPECT_TRUE(found[0].followed.empty()) << "a steady clock";
  ASSERT_EQ(found[1].followed.size(), 1u);
  EXPECT_EQ(found[1].followed[0].sensor, Sensor::kClock);
  EXPECT_NEAR(found[1].followed[0].correlation, -1, 1e-9);
  EXPECT_LT(found[1].followed[0].p_adjusted, 0.001);
  EXPECT_NEAR(*found[1].clock_of_peers, 1690.0 / 1980, 1e-9);
}

TEST_F(TelemetryTableTest, OneFallProvesNothing) {
  for (int64_t step = 0; step < kSteps; ++step) {
    clock(1, step, step < kSteps / 2 ? 1980 : 1400);
    steps.analysed[step].device_ns = step < kSteps / 2 ? 100e6 : 130e6;
  }
  EXPECT_TRUE(table()[0].followed.empty());
}

// Both hand half of their noise on from step to step and have nothing to do with each other.
TEST_F(TelemetryTableTest, ChanceIsHardlyEverFollowed) {
  int followed = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto clocks = noisy_series(kSteps, 1700, {51, 0.5}, seed);
    const auto durations = noisy_series(kSteps, 100e6, {3e6, 0.5}, 1000 + seed);
    for (int64_t step = 0; step < kSteps; ++step) {
      clock(0, step, clocks[step]);
      steps.analysed[step].device_ns = durations[step];
    }
    followed += !table()[0].followed.empty();
  }
  EXPECT_LE(followed, 4);
}

TEST_F(TelemetryTableTest, CountsStepsByReason) {
  for (int64_t step = 0; step < kSteps; ++step) clock(0, step, 1980);
  for (int64_t step = 0; step < 10; ++step) ranks[0].steps[step].health.throttle_reasons = 0x20 | 0x04;
  ranks[0].steps[10].health.throttle_reasons = 0x04;
  const std::vector<TelemetryOfRank> found = table();
  ASSERT_EQ(found.size(), 1u) << "of the other nothing was recorded";
  EXPECT_EQ(found[0].throttled_steps, (std::map<uint64_t, size_t>{{0x20, 10}, {0x04, 11}}));
  EXPECT_EQ(found[0].overheated_steps, 10u);
  EXPECT_FALSE(found[0].clock_of_peers);
}

TEST_F(TelemetryTableTest, RangesAreOfTheStepsMeans) {
  for (int64_t step = 0; step < kSteps; ++step) ranks[0].steps[step].health.power_w = 600 + static_cast<double>(step);
  const std::vector<TelemetryOfRank> found = table();
  const SensorRange power = *found[0].range(Sensor::kPower);
  EXPECT_DOUBLE_EQ(power.least, 600);
  EXPECT_DOUBLE_EQ(power.most, 699);
  EXPECT_NEAR(power.mean, 649.5, 1e-9);
  EXPECT_FALSE(found[0].range(Sensor::kClock));
}

}  // namespace
}  // namespace tauprof
