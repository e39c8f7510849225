// The phase of every host call, and of the device work that it launched.
//
// In a program that PyTorch marks, a call has the phase that its thread has when it starts (marked_phases.h).
// Elsewhere, what decides, in this order (the only place in the code that combines the sources):
//   1. the innermost range of the call's own thread that has a phase (ranges.rules, phase_track.h);
//   2. the first rule that fits the call (calls.rules). Rules ask for threads, kernels and frames of the stack by name,
//      for the part of the step (rule.h), and for the main thread's ranges (@range);
//   3. calls that launch nothing and do not block (events, waits between streams) prepare what comes next, and have its
//      phase.
// Rules may also refer to order: `after` to what was launched before on the same thread in the same step (without input
// copies, which come at any time), and @next to the phase of the next launch.
//
// Example, one thread, by kernels' names: memset, copy H2D, embedding_forward, gemm, cross_entropy, gemm,
// norm_backward, adam. The first gemm follows forward. cross_entropy is forward, but what follows it counts as
// backward, so the second gemm is backward. Both gemms have the same name.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"
#include "phases/phase_track.h"

namespace tauprof {

void assign_phases(ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped());

// The phase tracks of all threads; index = thread.
std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped());

}  // namespace tauprof
