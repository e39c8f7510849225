// Causes that telemetry reveals, step by step.
#include "metrics/stragglers/telemetry_causes.h"

#include <gtest/gtest.h>

#include "metrics/stragglers/step_telemetry.h"
#include "metrics/stragglers/throttle_reasons.h"

namespace tauprof {
namespace {

// Four ranks with steps 0 and 1.
class TelemetryCausesTest : public testing::Test {
 protected:
  TelemetryCausesTest() : ranks(4) {
    for (RankTimeline& rank : ranks) {
      rank.device_name = "H200";
      rank.steps.resize(2);
      rank.steps[1].number = 1;
    }
    steps.analysed = {{0, 100}, {1, 100}};
    steps.numbers = {0, 1};
  }
  StepHealth& health(size_t rank, size_t step) { return ranks[rank].steps[step].health; }
  TelemetryCauses causes() const { return TelemetryCauses(ranks, steps); }

  std::vector<RankTimeline> ranks;
  StepSelection steps;
};

TEST_F(TelemetryCausesTest, ADeviceIsThrottledInTheStepsWithALowClock) {
  for (size_t rank = 0; rank < 4; ++rank)
    for (size_t step = 0; step < 2; ++step) health(rank, step).sm_clock_mhz = 1980;
  health(2, 1).sm_clock_mhz = 1400;
  EXPECT_FALSE(causes().is_throttled(2, 0));
  EXPECT_TRUE(causes().is_throttled(2, 1));
  EXPECT_FALSE(causes().is_throttled(1, 1));
}

TEST_F(TelemetryCausesTest, ASlightlyLowerClockExplainsAsMuch) {
  for (size_t rank = 0; rank < 4; ++rank) {
    health(rank, 0).sm_clock_mhz = rank == 2 ? 1900 : 1980;  // 4.2 % lower
    ranks[rank].steps[0].compute = rank == 2 ? 1043 : 1000;
  }
  EXPECT_TRUE(causes().is_throttled(2, 0));
  ranks[2].steps[0].compute = 1300;
  EXPECT_FALSE(causes().is_throttled(2, 0)) << "of 30 % it does not";
  ranks[2].steps[0].compute = 990;
  EXPECT_FALSE(causes().is_throttled(2, 0)) << "it computes no longer";
  ranks[2].steps[0].compute = 1043;
  health(2, 0).sm_clock_mhz = 1965;
  EXPECT_FALSE(causes().is_throttled(2, 0)) << "as other clocks differ";
}

TEST_F(TelemetryCausesTest, ReasonsComeFromThrottledStepsAlone) {
  constexpr uint64_t kIdle = 1, kPowerCap = 4, kThermal = 32;
  for (size_t rank = 0; rank < 4; ++rank)
    for (size_t step = 0; step < 2; ++step) health(rank, step).sm_clock_mhz = 1980;
  health(2, 0).throttle_reasons = kPowerCap;
  health(2, 1).throttle_reasons = kThermal | kIdle;
  EXPECT_EQ(causes().throttle_reasons(2), 0u);
  health(2, 1).sm_clock_mhz = 1400;
  EXPECT_EQ(throttle_reason_names(causes().throttle_reasons(2)), std::vector<std::string_view>{"sw_thermal_slowdown"});
}

TEST_F(TelemetryCausesTest, ClocksOfOtherDevicesAreIgnored) {
  for (size_t rank = 0; rank < 4; ++rank) health(rank, 0).sm_clock_mhz = rank == 2 ? 1400 : 1980;
  ranks[2].device_name = "A100";
  EXPECT_FALSE(causes().is_throttled(2, 0));
}

TEST_F(TelemetryCausesTest, ARankIsComparedWithTheOthersAndNotWithItself) {
  // With two other ranks at 1000 and 2000 the upper value is typical; with three at 1000, 1000 and 2000 it is 1000.
  health(0, 0).sm_clock_mhz = health(1, 0).sm_clock_mhz = 1000;
  health(2, 0).sm_clock_mhz = 2000;
  EXPECT_TRUE(causes().is_throttled(0, 0));
  EXPECT_FALSE(causes().is_throttled(2, 0));
  health(3, 0).sm_clock_mhz = 1000;
  EXPECT_FALSE(causes().is_throttled(0, 0));
}

TEST_F(TelemetryCausesTest, MatchTheHeadersExample) {
  const Nanoseconds waits[] = {95, 10, 12, 30};
  for (size_t rank = 0; rank < 4; ++rank) health(rank, 0).cpu_wait = waits[rank];
  EXPECT_TRUE(causes().lacked_cpu(0, 0, 80));
  health(0, 0).cpu_wait = 20;
  EXPECT_FALSE(causes().lacked_cpu(0, 0, 80));
}

TEST_F(TelemetryCausesTest, NoTelemetryGivesNoCause) {
  health(0, 0).cpu_wait = 1000;
  health(0, 0).sm_clock_mhz = 1;
  EXPECT_FALSE(causes().lacked_cpu(0, 0, 10));
  EXPECT_FALSE(causes().is_throttled(0, 0));
}

TEST(StepHealthTest, InterpolatesWaitsAndTakesTheNearestClock) {
  ProcessTrace trace;
  const NameId clock = trace.names.add("sm_clock_mhz"), wait = trace.names.add("cpu_wait_ns");
  const auto read = [&](Nanoseconds time, NameId metric, int64_t value, int32_t device) {
    trace.telemetry.push_back({time, value, metric, device});
  };
  for (const auto& [time, mhz] : {std::pair{50, 1980}, {180, 1400}}) read(time, clock, mhz, 0);
  for (const auto& [time, waited] : {std::pair{0, 1000}, {100, 1000}, {200, 1060}}) read(time, wait, waited, -1);
  std::vector<RankStep> steps(3);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto begin = static_cast<Nanoseconds>(50 * (i + 1));
    steps[i].device = steps[i].host = Interval{begin, begin + 50};
  }
  DeviceTrace device;
  add_step_telemetry(trace, device, steps);
  EXPECT_EQ(steps[0].health.cpu_wait, 0);
  EXPECT_EQ(steps[1].health.cpu_wait, 30);
  EXPECT_EQ(steps[2].health.cpu_wait, 30);
  EXPECT_EQ(steps[0].health.sm_clock_mhz, 1980);
  EXPECT_EQ(steps[1].health.sm_clock_mhz, 1400);
}

}  // namespace
}  // namespace tauprof
