// Each step's health, from the telemetry in one rank's log.
//
// A step's clock, power and temperature are the means of the readings in it, or the nearest reading. The wait for a CPU
// is recorded as a sum since the process started; between two readings it is assumed to grow evenly. Both cover the
// time from the host's start of the step to the device's end of it, since the host runs ahead.
#pragma once

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

void add_step_telemetry(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps);

}  // namespace tauprof
