// The stages that complete the trace of one process: names of frames, classes, steps, phases.
#pragma once

#include "model/process_trace.h"
#include "phases/phase_rules.h"
#include "symbols/native_symbols.h"

namespace tauprof {

// `trace`: as it was read. Afterwards it has classes and steps.
void find_steps_of_trace(ProcessTrace& trace);
// Likewise; everything in it is filled.
void complete_trace(ProcessTrace& trace, const PhaseRules& rules, NativeSymbols& symbols);

}  // namespace tauprof
