// The launches by which steps are known: each step has them once, and ends with them or somewhere behind.
//
// An update is the surest sign of a training step: all its other work may occur several times. Its kernels come in
// bursts; two bursts are one update unless a pass over the model lies between them. A pass has a good part of the
// kernels of a usual pass and, where a thread is known to launch backward, some of its launches; or it is a graph,
// which is a captured pass. Example, with clipping between two optimizers: F B [adam clip adam] F B [adam clip adam].
// Setting the next loss scale is an update, too: it also runs in steps that skip theirs.
//
// Where no kernel of an update is known by name, its kernels are those that the main thread launches only between a
// backward pass and the next input copy. Examples, C an input copy, u an update's kernels:
//   C F B u u u u C F B u u u u     an update after each pass
//   C F B C F B u u u u C F B …     accumulation: after some passes, with any number of passes between
//   C F B F B u u u u C F B F B …   passes that share a batch
// If there are none, each backward pass is an anchor, and the update follows somewhere.
//
// If more graphs follow the last anchor than there were anchors, each of them holds one: the program captured a whole
// step after a few launched one by one. Alternating updates (C F B [adam-d] F B [adam-g] …) make one anchor together:
// alternating_updates.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

enum class AnchorSign : uint8_t { kName, kLists, kPlace, kPass };

struct StepAnchors {
  std::vector<StepAnchor> anchors;
  size_t updates_per_step = 1;
};

StepAnchors anchors_by(AnchorSign sign, const LaunchSequence& sequence);

}  // namespace tauprof
