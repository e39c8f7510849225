// Where the device windows of steps start and end.
#include "steps/step_windows.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr int64_t kCopyStream = 0x20;

class StepWindows : public testing::Test {
 protected:
  // Device work of `step`, launched at `at`.
  void Computes(int32_t step, Nanoseconds at, Nanoseconds start, Nanoseconds end) { Works(step, at, start, end, 0); }
  void Copies(int32_t step, Nanoseconds at, Nanoseconds start, Nanoseconds end) {
    Works(step, at, start, end, kCopyStream);
  }

  // Work without device times.
  void Launches(int32_t step, Nanoseconds at) { builder_.call("cudaLaunchKernel", at, at + 1).step = step; }
  void Gap(Nanoseconds start, Nanoseconds end) { gap_ = {{start, end}, "device", "somebody else uses CUPTI"}; }
  // The numbers of the steps with windows, of so many steps of the same length.
  std::vector<uint32_t> Steps(int64_t count, Nanoseconds length) {
    ProcessTrace& trace = builder_.build();
    for (int64_t step = 0; step < count; ++step) trace.steps.push_back({step, step * length, (step + 1) * length});
    trace.quality.gaps = {gap_};
    const std::vector<StepWindow> windows = step_windows(trace, trace.devices.front());
    left_ = steps_in_gaps(trace, trace.devices.front(), windows);
    std::vector<uint32_t> numbers;
    for (const StepWindow& window : windows) numbers.push_back(window.host_step);
    return numbers;
  }
  size_t Left() const { return left_; }

  std::vector<std::pair<Nanoseconds, Nanoseconds>> Windows(bool are_side_by_side = false) {
    ProcessTrace& trace = builder_.build();
    trace.steps.resize(3);
    trace.steps_origin = StepOrigin::kInferred;
    if (are_side_by_side) trace.steps[1] = {.number = 1, .start = 5, .end = 6, .own_start = 1};
    for (auto& span : trace.devices.front().spans) {
      const bool is_copy = trace.devices.front().streams[span.stream].handle == kCopyStream;
      span.span_class = is_copy ? SpanClass::kCopy : SpanClass::kCompute;
    }
    std::vector<std::pair<Nanoseconds, Nanoseconds>> result;
    for (const StepWindow& window : step_windows(trace, trace.devices.front())) {
      result.emplace_back(window.device->start, window.device->end);
    }
    return result;
  }

 private:
  void Works(int32_t step, Nanoseconds at, Nanoseconds start, Nanoseconds end, int64_t stream) {
    builder_.call("cudaLaunchKernel", at, at + 1).step = step;
    builder_.span(start, end, stream);
  }

  TraceBuilder builder_;
  RecordingGap gap_;
  size_t left_ = 0;
};

using List = std::vector<std::pair<Nanoseconds, Nanoseconds>>;

TEST_F(StepWindows, RunFromTheFirstWorkOfAStepToThatOfTheNext) {
  Computes(0, 0, 10, 90);
  Computes(1, 2, 95, 170);
  EXPECT_EQ(Windows(), (List{{10, 95}, {95, 170}}));
}

TEST_F(StepWindows, IgnoreCopiesThatRunAheadOnAnotherStream) {
  Copies(0, 0, 5, 8);
  Computes(0, 1, 10, 90);
  Copies(1, 2, 12, 15);
  Computes(1, 3, 90, 170);
  Copies(2, 4, 16, 19);
  Computes(2, 5, 170, 250);
  EXPECT_EQ(Windows(), (List{{5, 90}, {90, 170}, {170, 250}}));
}

TEST_F(StepWindows, LeaveOutStepsInWhichDeviceTimesAreMissing) {
  constexpr Nanoseconds kMillisecond = 1'000'000;
  for (int32_t step = 0; step < 10; ++step)
    if (step < 3 || step > 5)
      Computes(step, step * 100 * kMillisecond, (step * 100 + 10) * kMillisecond, (step * 100 + 90) * kMillisecond);
    else
      Launches(step, step * 100 * kMillisecond);
  Gap(320 * kMillisecond, 550 * kMillisecond);
  EXPECT_EQ(Steps(10, 100 * kMillisecond), (std::vector<uint32_t>{0, 1, 6, 7, 8, 9}));
  EXPECT_EQ(Left(), 4u);
}

TEST_F(StepWindows, WithoutMainStreamWorkLieBetweenTheirNeighbours) {
  Computes(0, 0, 10, 90);
  Copies(1, 2, 5, 8);
  Computes(2, 4, 90, 170);
  EXPECT_EQ(Windows(), (List{{10, 10}, {10, 90}, {90, 170}}));
}

TEST_F(StepWindows, OfThreadsSideBySideLastFromEndToEnd) {
  constexpr bool kSideBySide = true;
  Computes(0, 0, 10, 30);
  Computes(1, 1, 30, 40);  // the other thread's first step starts before the first ends
  Computes(0, 2, 40, 90);
  Computes(1, 3, 90, 120);
  Computes(2, 4, 120, 150);
  EXPECT_EQ(Windows(kSideBySide), (List{{10, 90}, {90, 120}, {120, 150}}));
}

// Steps from 3 to 60 and from 60 to 200 on the host.
std::vector<std::pair<Nanoseconds, Nanoseconds>> windows_of_marked(Nanoseconds start, Nanoseconds end) {
  TraceBuilder builder;
  builder.call("cudaLaunchKernel", 4, 5).step = 0;
  builder.span(start, 90, 0);
  builder.call("cudaLaunchKernel", 61, 62).step = 1;
  builder.span(95, end, 0);
  ProcessTrace& trace = builder.build();
  trace.steps = {{0, 3, 60}, {1, 60, 200}};
  trace.steps_origin = StepOrigin::kTrace;
  std::vector<std::pair<Nanoseconds, Nanoseconds>> result;
  for (const StepWindow& window : step_windows(trace, trace.devices.front()))
    result.emplace_back(window.device->start, window.device->end);
  return result;
}

TEST(StepWindowsOfMarkedSteps, StartAndEndOnTheHostWhereTheDeviceDoesNotWork) {
  EXPECT_EQ(windows_of_marked(10, 170), (List{{3, 95}, {95, 200}}));
  EXPECT_EQ(windows_of_marked(10, 270), (List{{3, 95}, {95, 270}}));
}

}  // namespace
}  // namespace tauprof
