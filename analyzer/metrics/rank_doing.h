// What a rank was last doing, from its whole log: the call that it is in, or the last one that it has made and the line
// that it has been at since.
//
// Threads that launch work for the device count before others: a watchdog that asks for an event every second says
// nothing about the job. Of several that are in a call, the one that is there for longest.
#pragma once

#include "model/process_trace.h"
#include "model/rank_progress.h"

namespace tauprof {

// Fills what `progress` says of the call, its thread, place, phase and step.
void find_doing(const ProcessTrace& trace, RankProgress& progress);

}  // namespace tauprof
