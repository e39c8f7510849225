// What the telemetry of a log says of one rank.
#pragma once

#include "model/process_trace.h"
#include "model/rank_health.h"

namespace tauprof {

RankHealth rank_health(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
