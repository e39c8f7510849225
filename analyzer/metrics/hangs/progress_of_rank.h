// How far one rank had come, from its whole log. progress_of_job.h puts the ranks together.
#pragma once

#include "model/process_trace.h"
#include "model/rank_progress.h"

namespace tauprof {

RankProgress progress_of_rank(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
