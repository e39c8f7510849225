// The part of its step in which a call lies, seen from the backward passes and from the kernels that are known by name
// to clip or to update. Only calls of threads that launch forward are told apart. The words are those of rules
// (`place=`):
//
//   step     elsewhere
//   inside   inside a forward pass: its thread launched kernels before it, since the step's start or the pass before
//   turn     after the loss: its thread launches at most four more kernels before a backward pass starts. Scaling the
//            loss takes one or two, the first gradient another one.
//   clip     after a backward pass, and the next known kernel clips: norms come with small kernels without known names
//   update   after a backward pass, and the next known kernel updates
//   behind   after the last pass, and no known kernel follows. So an update without known kernels is here, too.
//   result   there, gathering results; save: a checkpoint, there or in extra work (after_update.h)
//   extra    in extra work after the step (an evaluation)
//
// Example with two passes, B a backward pass, N a norm, A an optimizer's kernel, x any kernel:
//     x x x x x x  B  x x x x x x  B  x N x x N x A x x
//     s i t t t t     s i t t t t     c c c c c u u b b
// A call that launches nothing is in the part of the next kernel. Calls of backward threads are `step`.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/rule.h"

namespace tauprof {

// One for each call; kElsewhere if it belongs to no step.
std::vector<StepPart> step_parts(const ProcessTrace& trace, const LaunchedWork& work);

}  // namespace tauprof
