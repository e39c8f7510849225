// Phases in a trace in which neither marks nor ranges say where passes start and end: by what each call launched and by
// which thread. The only place that guesses; every guess is a line of phase_of() or of one that it calls.
//
// In this order:
//   1. the innermost range of the call's own thread that has a phase (forward on a backward thread computes again what
//      was freed: backward);
//   2. the user's rule for the kernel;
//   3. a thread that launches backward passes (steps/launching_threads.h): backward;
//   4. what the work is: input copies are h2d, and so is waiting for them; messages between stages are in no phase
//      (other); copies to the host are sync_gather; kernels that only clip, update or clear say so by their names
//      (classify/update_kernels.def);
//   5. other work in an evaluation after the step is in no phase, nor is what is cleared before its first launch;
//   6. the part of the step: beside a thread that launches backward, what another thread launches is forward up to the
//      step's last backward pass, and unknown after it (other);
//   7. where one thread launches everything, kernels' names; a kernel without a word goes with the launch before, or at
//      the start of a step with the next one;
//   8. collectives and waits go with the launch before. After an update, waits and reductions gather results
//      (sync_gather); after a last backward pass nothing but that came before.
// Calls that launch nothing and do not block prepare what comes next, and have its phase.
//
// "Before" is on the same thread in the same step; input copies, which come at any time, and launches in no phase do
// not count.
//
// Example, one thread, by kernels' names: memset, copy H2D, embedding_forward, gemm, cross_entropy, gemm,
// norm_backward, adam. The first gemm follows forward. cross_entropy is forward, but what follows it counts as
// backward, so the second gemm is backward. Both gemms have the same name.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/phase_rules.h"
#include "phases/phase_track.h"

namespace tauprof {

// `tracks`: of all threads, by what ranges say.
void infer_phases(ProcessTrace& trace, const LaunchedWork& work, const std::vector<PhaseTrack>& tracks,
                  const PhaseRules& rules);

}  // namespace tauprof
