// Host time by phase: the host window of a step, shared out among the phases.
//
// An instant has the phase of the main thread's innermost phase range. Outside such ranges it has that of the call in
// progress, else of the call that comes next in the window (what the host prepares), or `other` where that call lies in
// a range that has not begun. Where no range marks data waits, the time without a call before an input copy is
// dataload_wait, if it lies behind an update, a backward pass or the loss, or before the step's first kernel; calls
// that launch nothing may lie before the copy. Between the copies of a batch it is h2d. The time in which the main
// thread is not woken after a backward pass is backward's (hand_back.h). What follows the last call is `other`. The
// phases sum exactly to the host window.
#pragma once

#include <vector>

#include "model/phase.h"
#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

// One entry per step of trace.steps.
std::vector<PerPhase<Nanoseconds>> host_time_by_phase(const ProcessTrace& trace,
                                                      const PhaseRules& rules = PhaseRules::shipped());

}  // namespace tauprof
