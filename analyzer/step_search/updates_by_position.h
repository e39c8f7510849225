// Where the model is updated, by position alone: after backward passes. Used where no kernel's name tells.
//
// A backward pass ends when the main thread launches again. What it launches up to the next input copy is the update,
// if it is more than the few kernels of a metric. Examples, C an input copy, u an update's kernels:
//   C F B u u u u C F B u u u u     an update after each pass
//   C F B C F B u u u u C F B …     accumulation: after some passes, with any number of passes between
//   C F B F B u u u u C F B F B …   passes that share a batch: the update has kernels that do not follow other passes
// Where input copies do not tell, an update must show as kernels that follow only every n-th pass. If nothing shows,
// each backward pass is a step (or those that alternate are, alternating_updates.h), and the update follows somewhere.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

struct PositionSearch {
  std::vector<StepAnchor> anchors;
  bool ends_with_update = false;  // false: the anchors are backward passes, the update follows
  size_t passes = 1;              // backward passes in a step; 0: the number varies
};

PositionSearch updates_by_position(const LaunchSequence& sequence);

}  // namespace tauprof
