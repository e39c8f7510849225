// The phase of every host call, and of the device work that it launched.
//
// Where marks or ranges say where passes start and end, a call has the phase that its thread has when it starts
// (marked_phases.h); elsewhere phases are inferred (inferred_phases.h). A user's rule for a kernel outranks both.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"
#include "phases/phase_track.h"

namespace tauprof {

void assign_phases(ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped());

// The phases named by the ranges of all threads; index = thread.
std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped());

}  // namespace tauprof
