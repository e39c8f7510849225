// Host time by phase: the host window of a step, shared out among the phases.
//
// An instant has the phase of the main thread's innermost phase range. Outside such ranges it has
// that of the call in progress, else of the call that comes next in the window (what the host
// prepares), or `other` where that call lies in a range that has not begun. Where no range marks data
// waits, the time without a call between a step's update (or its start) and its first input copy is
// dataload_wait. What follows the last call is `other`. The phases sum exactly to the host window.
#pragma once

#include <vector>

#include "model/phase.h"
#include "model/process_trace.h"

namespace tauprof {

// One entry per step of trace.steps.
std::vector<PerPhase<Nanoseconds>> host_time_by_phase(const ProcessTrace& trace);

}  // namespace tauprof
