// Where the model is updated: the surest sign of a training step, since everything else in it may happen several times.
//
// 1. By name. Kernels that only an optimizer launches come in bursts. Two bursts are one update unless a pass over the
//    model lies between them: a good part of the kernels of a usual pass and, where a thread is known to launch
//    backward, some of its launches; or a graph, which is a captured pass. Example, with clipping between two
//    optimizers: F B [adam clip adam] F B [adam clip adam].
// 2. By place, where no kernel has such a name. A backward pass ends when the main thread goes on. What it launches
//    then, up to the next backward pass, is the same after every pass if each step has one; with gradient accumulation,
//    an update stands after every n-th only: F B F B F B [u u u u] F B … . If it is the same, each backward pass is a
//    step, and the update lies somewhere after it.
//
// Optimizers that take turns (F B [adam-d] F B [adam-g] …) make one step together: the smallest number of updates after
// which the stretches between them repeat.
#pragma once

#include <vector>

#include "steps/launch_sequence.h"

namespace tauprof {

// What a step is known by: positions in the sequence. The step begins at or after the `end` of the one before, and
// not after `first`.
struct StepAnchor {
  size_t first = 0;
  size_t end = 0;
};

struct UpdateSearch {
  std::vector<StepAnchor> anchors;
  size_t turns = 1;              // updates in a step
  size_t passes = 1;             // backward passes in a step, where they were counted
  bool ends_with_update = true;  // false: the anchors are backward passes, the update follows
};

UpdateSearch updates_by_name(const LaunchSequence& sequence);
UpdateSearch updates_by_place(const LaunchSequence& sequence);

}  // namespace tauprof
