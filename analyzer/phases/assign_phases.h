// The phase of every host call and of the device work that it launched, by the rules (phase_rules.h).
//
// A call inside a range of its own thread that speaks of a phase has that phase. Otherwise the first rule that fits it
// decides. Rules may refer to order: what was launched before on the same thread in the same step (input copies do not
// count: they come at any time), and @next, the phase of the next launch. Calls that launch nothing and do not block
// (events, waits between streams) prepare what comes next, and have its phase.
//
// Example, one thread, by kernels' names: memset, copy H2D, embedding_forward, gemm, cross_entropy, gemm,
// norm_backward, adam. The first gemm follows forward; cross_entropy is forward, but what follows it counts as
// backward, so the second gemm is. Both gemms have the same name.
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
