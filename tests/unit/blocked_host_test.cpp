// How long the host is blocked behind the device.
#include "phases/blocked_host.h"

#include <gtest/gtest.h>

#include "phases/host_time.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class BlockedHostTest : public testing::Test {
 protected:
  // Launches work that runs during `time`.
  void works(Nanoseconds launch, Interval time) {
    builder.call("cudaLaunchKernel", launch, launch + 10).call_class = CallClass::kKernel;
    const uint32_t span = builder.span(time.start, time.end);
    spans.push_back(span);
  }
  ProcessTrace& built() {
    ProcessTrace& trace = builder.build();
    for (const uint32_t span : spans) trace.devices.front().spans[span].span_class = SpanClass::kCompute;
    return trace;
  }

  TraceBuilder builder;
  std::vector<uint32_t> spans;
};

TEST(CoveredTime, CountsOverlappingPartsOnce) {
  const CoveredTime covered({{30, 50}, {10, 20}, {40, 60}, {60, 70}, {80, 80}});
  EXPECT_EQ(covered.within(0, 100), 50);
  EXPECT_EQ(covered.within(15, 35), 10);
  EXPECT_EQ(covered.within(20, 30), 0);
  EXPECT_EQ(covered.within(50, 40), 0);
  EXPECT_EQ(CoveredTime().within(0, 100), 0);
}

TEST_F(BlockedHostTest, MatchesTheHeadersExample) {
  works(0, {0, 400});
  works(20, {500, 600});
  HostCall wait;
  wait.start = 100;
  wait.end = 450;
  wait.call_class = CallClass::kSync;
  const BlockedHost blocked(built());
  EXPECT_EQ(blocked.within(wait, 100, 450), 300);
  EXPECT_EQ(blocked.within(wait, 100, 200), 100);
  wait.call_class = CallClass::kKernel;
  EXPECT_EQ(blocked.within(wait, 100, 450), 0) << "a launch that waits for nobody";
}

TEST_F(BlockedHostTest, ALaunchIntoAFullQueueIsBlocked) {
  constexpr Nanoseconds kLong = 300'000;
  for (int i = 0; i < 600; ++i) works(20 * i, {1'000'000 + 1000 * i, 1'000'900 + 1000 * i});
  works(1'000'000, {1'700'000, 1'700'100});
  ProcessTrace& trace = built();
  HostCall& launch = trace.calls[trace.calls.size() - 1];
  launch.end = launch.start + kLong;
  EXPECT_EQ(BlockedHost(trace).within(launch, launch.start, launch.end), 300 * 900);
  HostCall early = launch;
  early.start = 100;
  early.end = 100 + kLong;
  EXPECT_EQ(BlockedHost(trace).within(early, early.start, early.end), 0) << "few are pending yet";
}

TEST_F(BlockedHostTest, IsAPartOfItsPhasesTime) {
  works(100, {100, 700});
  builder.call("cudaDeviceSynchronize", 200, 800).call_class = CallClass::kSync;
  ProcessTrace& trace = built();
  trace.steps.push_back({0, 0, 1000});
  const HostTimes times = host_time_by_phase(trace).front();
  Nanoseconds total = 0, blocked = 0;
  for (size_t phase = 0; phase < kPhaseCount; ++phase) {
    total += times.total[phase];
    blocked += times.blocked[phase];
    EXPECT_LE(times.blocked[phase], times.total[phase]);
  }
  EXPECT_EQ(total, 1000);
  EXPECT_EQ(blocked, 500);
}

}  // namespace
}  // namespace tauprof
