// Where the model is updated. This is the surest sign of a training step: all its other work may occur several times.
//
// 1. By name. Kernels that only an optimizer launches come in bursts. Where none has such a name, kernels over lists of
//    tensors stand for them, because models do not launch these. Setting the next loss scale counts as well, or alone:
//    it also runs in steps that skip their update. Two bursts are one update unless a pass over the model lies between
//    them. A pass has a good part of the kernels of a usual pass and, where a thread is known to launch backward, some
//    of its launches; or it is a graph, which is a captured pass. Example, with clipping between two optimizers:
//    F B [adam clip adam] F B [adam clip adam]. If more graphs follow the last known update than there were updates,
//    each of them holds one: the program captured a whole step after a few launched one by one.
// 2. By position, where no kernel has such a name: updates_by_position.h.
//
// Alternating updates (C F B [adam-d] F B [adam-g] …) make one step together: alternating_updates.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

enum class UpdateSign : uint8_t { kNone, kName, kLists, kScale };

struct UpdateSearch {
  std::vector<StepAnchor> anchors;
  UpdateSign sign = UpdateSign::kNone;
  size_t updates_per_step = 1;
};

UpdateSearch updates_by_name(const LaunchSequence& sequence);

// Appends the graphs after the last anchor if they outnumber the anchors.
void add_captured_steps(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors);

}  // namespace tauprof
