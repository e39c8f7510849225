// When device times were taken, by the recorder's own word (log record device_times). Steps in which none are taken are
// light: their host runs as it does without us. A log that says nothing has no such times.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// The state throughout this step; kUnknown: it changed in its midst, or the log does not say. A change with a step
// comes with the start of one, the nearest: the recorder's thread may have lost its processor between the two.
log::DeviceTimesState device_times_in(const ProcessTrace& trace, Interval step);

// When the source was on but did not take them, or was off, by time.
std::vector<Interval> times_without_device_times(const ProcessTrace& trace);

}  // namespace tauprof
