// Host time by phase: shares out each step's host window among the phases.
//
// In a program that PyTorch marks, the training thread's phase at each instant counts (marked_phases.h). Elsewhere,
// what decides the phase of an instant, in this order:
//   1. the main thread's innermost range with a phase;
//   2. the call in progress;
//   3. the next call in the window, which the host prepares, or `other` if that call lies in a range that has not
//   started.
// Two cases differ:
//   - Where no range marks data waits, the time without a call before an input copy is dataload_wait if it follows an
//     update or a backward pass, or precedes the step's first kernel. Calls that launch nothing may lie
//     before the copy, and in front of the wait. Between the copies of a batch it is h2d.
//   - What follows the last call is `other`.
// The phases sum exactly to the host window.
//
// Apart from that it tells how much of each phase's time the host was blocked behind the device (blocked_host.h).
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/host_times.h"
#include "phases/phase_rules.h"

namespace tauprof {

// One entry per step of trace.steps. `slices`: gets the times that were summed up, in their order; null: nobody asks.
std::vector<HostTimes> host_time_by_phase(const ProcessTrace& trace, const PhaseRules& rules = PhaseRules::shipped(),
                                          std::vector<PhaseSlice>* slices = nullptr);

}  // namespace tauprof
