// When device times were taken, from a log into the trace.
#include "steps/device_times.h"

#include <gtest/gtest.h>

#include "format/scratch_file.h"
#include "log/writer.h"
#include "read/load_process.h"

namespace tauprof {
namespace {

using State = log::DeviceTimesState;

ProcessTrace trace_of(const std::vector<log::DeviceTimes>& rows) {
  ScratchFile file;
  log::Writer writer;
  EXPECT_TRUE(writer.open(file.vacate().c_str(), {}));
  for (const log::DeviceTimes& row : rows) writer.append(row);
  writer.close(2000, "exit");
  ProcessTrace trace;
  EXPECT_TRUE(load_process(file.path(), trace).is_ok());
  return trace;
}

TEST(DeviceTimes, AreInOrderOfTime) {
  const ProcessTrace trace = trace_of({{500, 1, 8}, {100, 3, 0}, {200, 2, -1}});
  ASSERT_EQ(trace.device_times.size(), 3u);
  EXPECT_EQ(trace.device_times[0].state, State::kSwitching);
  EXPECT_EQ(trace.device_times[0].step, 0);
  EXPECT_EQ(trace.device_times[1].time, 200);
  EXPECT_EQ(trace.device_times[1].state, State::kTaken);
  EXPECT_EQ(trace.device_times[1].step, -1);
  EXPECT_EQ(trace.device_times[2].state, State::kOff);
}

TEST(DeviceTimes, OfALogThatDoesNotSayAreNotKnown) { EXPECT_TRUE(trace_of({}).device_times.empty()); }

TEST(DeviceTimes, InAStateOfALaterVersionAreNotKnown) {
  const ProcessTrace trace = trace_of({{100, 6, 3}, {200, -1, -7}, {1'000'000'000'000, 2, 4}});
  ASSERT_EQ(trace.device_times.size(), 2u) << "without the one after the end of the log";
  EXPECT_EQ(trace.device_times[0].state, State::kUnknown);
  EXPECT_EQ(trace.device_times[1].state, State::kUnknown);
  EXPECT_EQ(trace.device_times[1].step, -1);
}

// Steps of 1000: those from number 3 on are light, those from 5 on full.
TEST(DeviceTimes, OfAStepChangeWithItsNearestStart) {
  ProcessTrace trace;
  trace.device_times = {
      {0, State::kTaken, -1}, {2800, State::kSwitching, 3}, {3500, State::kOff, -1}, {5100, State::kTaken, 5}};
  const auto of_step = [&](Nanoseconds number) { return device_times_in(trace, {number * 1000, (number + 1) * 1000}); };
  EXPECT_EQ(of_step(1), State::kTaken);
  EXPECT_EQ(of_step(2), State::kTaken) << "the change was noted a little before the step's start";
  EXPECT_EQ(of_step(3), State::kUnknown) << "within the step";
  EXPECT_EQ(of_step(4), State::kOff);
  EXPECT_EQ(of_step(5), State::kTaken) << "the change was noted a little after the step's start";
}

}  // namespace
}  // namespace tauprof
