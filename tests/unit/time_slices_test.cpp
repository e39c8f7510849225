// Slices of time where no steps are known.
#include <gtest/gtest.h>

#include "steps/host_steps.h"
#include "steps/step_sources.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

// Calls without a period, one at each time.
ProcessTrace calls_at(const std::vector<Nanoseconds>& times) {
  TraceBuilder builder;
  for (size_t i = 0; i < times.size(); ++i) {
    builder.call("cudaLaunchKernel", times[i], times[i] + 10);
    builder.span(times[i] + 20, times[i] + 30 + static_cast<Nanoseconds>(i));
  }
  return builder.build();
}

TEST(TimeSlices, EndAtFullSecondsOfTheWallClock) {
  ProcessTrace trace = calls_at({7'900'000'000, 8'300'000'000, 9'500'000'000, 11'500'000'000});
  trace.realtime_offset_ns = 100'000'000;
  const std::vector<HostStep> slices = time_slices(trace);
  ASSERT_EQ(slices.size(), 4u);
  EXPECT_EQ(slices[0].start, 7'900'000'000);
  for (size_t i = 1; i < slices.size(); ++i) {
    EXPECT_EQ(slices[i].start, 7'900'000'000 + static_cast<Nanoseconds>(i) * kSecond);
    EXPECT_EQ(slices[i].start, slices[i - 1].end);
    EXPECT_EQ(slices[i].number, static_cast<int64_t>(i));
  }
}

TEST(TimeSlices, ShorterThanHalfASecondAtTheEndsJoinTheirNeighbours) {
  const std::vector<HostStep> slices = time_slices(calls_at({7'900'000'000, 9'500'000'000, 10'200'000'000}));
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0].end, 9 * kSecond);
  EXPECT_EQ(slices[1].end, 10'200'000'011);
  EXPECT_EQ(time_slices(calls_at({7'990'000'000, 8'010'000'000})).size(), 1u) << "a short recording is one slice";
}

TEST(TimeSlices, ReplaceUnknownSteps) {
  ProcessTrace trace = calls_at({0, 900'000'000, 1'700'000'000, 2'900'000'000});
  find_host_steps(trace);
  EXPECT_EQ(trace.steps_source, kByTime);
  EXPECT_EQ(trace.steps_confidence, 0);
  EXPECT_FALSE(trace.steps_reason.empty());
  EXPECT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.calls[2].step, 1);
}

TEST(TimeSlices, AreASingleOneWithoutHostCalls) {
  TraceBuilder builder;
  builder.span_without_call(0, 3 * kSecond);
  EXPECT_EQ(time_slices(builder.build()).size(), 1u);
}

}  // namespace
}  // namespace tauprof
