// Makes operations of a trace: what each of them waits for, and how long it takes to notice.
//
// The host is a line of operations for each thread that launches: what it does between two calls, then the call. Calls
// that neither launch, block nor allocate are part of what lies between. Example:
//
//   host     |between| launch A |between| launch B |between| synchronise ········| (return)
//   stream        └──latency──> |···· A ····| |···· B ····|──notice──────────────^
//
// A comes after the host began to launch it, B after A and after its own launch, the return after B. How long after is
// the lag of the kind of edge: the median on this device over all operations that waited for such an edge alone.
#pragma once

#include "model/rank_operations.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `trace` is complete: classified, with steps and phases. `keeps_places`: the result says where operations lie in it.
ProcessOperations process_operations(const ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped(),
                                     bool keeps_places = false);

}  // namespace tauprof
