// What the telemetry of a log says of each step of one rank.
//
// A step's clock is the mean of the readings in it, or else the nearest one. The wait for a CPU is a sum since the
// process began; between two readings it is taken to grow evenly. Both look at the time from when the host began the
// step to when the device ended it, since the host runs ahead.
#pragma once

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

void add_step_health(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps);

}  // namespace tauprof
