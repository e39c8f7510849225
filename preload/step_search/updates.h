// Where the model is updated: the surest sign of a training step, since everything else in it may happen several times.
//
// 1. By name. Kernels that only an optimizer launches come in bursts; where none has such a name, kernels over lists of
//    tensors do, because models have none. What sets the next loss scale counts as well, or alone: it runs in steps
//    that skip their update, too. Two bursts are one update unless a pass over the model lies between them: a good part
//    of the kernels of a usual pass and, where a thread is known to launch backward, some of its launches; or a graph,
//    which is a captured pass. Example, with clipping between two optimizers: F B [adam clip adam] F B [adam clip
//    adam]. Graphs that go on behind the last known update, more of them than there were updates, hold one each: the
//    whole step was captured after a few launched one by one.
// 2. By place, where no kernel has such a name: updates_by_place.h.
//
// Optimizers that take turns (C F B [adam-d] F B [adam-g] …) make one step together: turns.h.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"

namespace tauprof {

// What a step is known by: positions in the sequence. The step begins at or after the `end` of the one before, and
// not after `first`.
struct StepAnchor {
  size_t first = 0;
  size_t end = 0;
};

enum class UpdateSign : uint8_t { kNone, kName, kLists, kScale };

struct UpdateSearch {
  std::vector<StepAnchor> anchors;
  UpdateSign sign = UpdateSign::kNone;
  size_t turns = 1;  // updates in a step
};

UpdateSearch updates_by_name(const LaunchSequence& sequence);

// Adds the graphs behind the last of these, if they are more.
void add_captured_steps(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors);

}  // namespace tauprof
