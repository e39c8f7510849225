// How far one rank had come, from its whole log; run_progress.h puts the ranks together.
#pragma once

#include "model/process_trace.h"
#include "model/rank_progress.h"

namespace tauprof {

RankProgress rank_progress(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
