// When device times were taken, from a log into the trace.
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

}  // namespace
}  // namespace tauprof
