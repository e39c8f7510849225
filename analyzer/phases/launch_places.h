// Where in its step a call of a thread that launches forward stands, seen from the backward passes and from the kernels
// that are known by name to clip or to update.
//
//   step     elsewhere
//   inside   inside a forward pass: kernels of its thread came before, since the step's begin or the pass before
//   turn     behind the loss: at most four kernels of its thread before a backward pass begins. Scaling the loss takes
//            one or two, the first gradient another one.
//   clip     behind a backward pass, and the next known kernel clips: norms come with small kernels that say nothing
//   update   behind a backward pass, and the next known kernel updates
//   behind   behind the last pass, and nothing known follows: an update without known kernels is here, too
//   result   there, gathering results; save: there or in extra work, a checkpoint (behind_update.h)
//   extra    in other work that was found behind the step (an evaluation)
//
// Example, B a backward pass, N a norm, A a kernel of an optimizer, x any kernel, two passes in a step:
//     x x x x x x  B  x x x x x x  B  x N x x N x A x x
//     s i t t t t     s i t t t t     c c c c c u u b b
// Calls that launch nothing stand where the next kernel does. Backward threads' calls are `step`.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/phase_rules.h"

namespace tauprof {

// Kernels between the loss and the backward pass: dividing and scaling it, the first gradient, and one to spare.
inline constexpr int kLossKernels = 4;

// Of each call; kStep where it belongs to no step.
std::vector<RulePlace> launch_places(const ProcessTrace& trace, const LaunchedWork& work);

}  // namespace tauprof
