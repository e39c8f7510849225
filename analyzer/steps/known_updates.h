// The updates of the model that are known by name. An update is the surest sign of a training step: all its other work
// may occur several times.
//
// Its launches come in bursts; two bursts are one update unless a pass over the model lies between them. A pass has a
// good part of the kernels of a usual pass and, where a thread is known to launch backward, some of its launches; or it
// is a graph, which is a captured pass. Example, with clipping between two optimizers:
// F B [adam clip adam] F B [adam clip adam]. Setting the next loss scale is an update, too: it also runs in steps that
// skip theirs. Alternating updates (C F B [adam-d] F B [adam-g] …) make one together: alternating_updates.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "steps/launch_sequence.h"

namespace tauprof {

// Signs by which updates are recognised.
enum class UpdateSign : uint8_t {
  kName,   // the optimizer's range, or kernels that only an optimizer launches
  kLists,  // kernels over lists of tensors
};

struct KnownUpdates {
  std::vector<Update> updates;  // each ends the work of a step
  size_t joined = 1;            // as many take turns in one
};

KnownUpdates known_updates(UpdateSign sign, const LaunchSequence& sequence);

}  // namespace tauprof
