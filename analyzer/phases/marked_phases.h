// Phases in a program that PyTorch marks: each thread has a phase at each instant, by its marks. The same holds for a
// trace whose ranges speak of forward and of backward on a thread that launches work: they take the place of marks.
//
// Inside a mark or a range that speaks of a phase, the innermost one decides. Between the forward passes (with
// gradients, and one without right before them) and the backward pass that follows them on their thread, and from one
// backward pass to the next with no mark between them, the host computes the loss: forward, up to a range that names
// something else. Elsewhere no mark says anything: `other`. In these two places a call that copies input, or reads or
// gathers results, has the phase of its class; the time before the first copy of a batch is dataload_wait where the
// thread does not say when it fetches, but right after a fetch h2d. Messages between stages are in no phase there.
// Autograd's threads are in backward. Kernels and their order tell nothing. In a trace without marks, a range beside
// those that speak of phases names something else: it is `other`, except for the input copies in it.
//
// Two marks do not mean what they say: a forward pass inside a backward pass computes again what was freed, so it is
// backward; and one without gradients is `other` if it is an evaluation (steps/step_sources.h).
//
// Example; c copies input, k launches a kernel, r reads the loss:
//     marks    fetch          forward       backward    update
//     calls            c  c            k  r                        r
//     phase    dataload  h2d  forward     s.g. f  backward  optim_step  other  s.g.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/blocked_host.h"
#include "phases/host_times.h"
#include "phases/launched_work.h"
#include "phases/phase_rules.h"
#include "phases/phase_track.h"

namespace tauprof {

// Of all threads, for all time; index = thread.
std::vector<PhaseTrack> marked_tracks(const ProcessTrace& trace, const LaunchedWork& work, const PhaseRules& rules);

// One entry per step of trace.steps: the phases of the thread that trained in it. `slices`: as host_time_by_phase.
std::vector<HostTimes> marked_host_time(const ProcessTrace& trace, const PhaseRules& rules, const BlockedHost& blocked,
                                        std::vector<PhaseSlice>* slices);

}  // namespace tauprof
