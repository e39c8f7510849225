// How far one rank had come, from its whole log. progress_of_job.h puts the ranks together.
#pragma once

#include "model/process_trace.h"
#include "model/rank_progress.h"

namespace tauprof {

RankProgress progress_of_rank(const ProcessTrace& trace, const DeviceTrace& device);

// A rank's last activity, from its whole log: the call that it is in, or its last call and the source line where it has
// been since.
//
// Threads that launch device work come before others: a watchdog that queries an event every second says nothing about
// the job. If several threads are in a call, the one that has been there longest counts.
//
// Fills the call, its thread, source line, phase and step in `progress`.
void find_doing(const ProcessTrace& trace, RankProgress& progress);

}  // namespace tauprof
