// Where the model is updated, told from the place alone: behind backward passes, where no kernel has a name that says
// so.
//
// A backward pass ends when the main thread goes on. What the main thread launches then, up to the next input copy, is
// the update, if it is more than the few kernels of a metric. Example, C an input copy, u an update's kernels:
//   C F B u u u u C F B u u u u     an update behind each pass
//   C F B C F B u u u u C F B …     accumulation: behind some passes, however many lie between
//   C F B F B u u u u C F B F B …   passes that share a batch: the update has kernels that do not follow the others
// Where input copies do not tell, an update has to show as kernels that are launched behind every n-th pass only. If
// nothing is seen, each backward pass is a step, or those that take turns are (turns.h); the update follows somewhere.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/updates.h"

namespace tauprof {

struct PlaceSearch {
  std::vector<StepAnchor> anchors;
  bool ends_with_update = false;  // false: the anchors are backward passes, the update follows
  size_t passes = 1;              // backward passes in a step; 0: not always as many
};

PlaceSearch updates_by_place(const LaunchSequence& sequence);

}  // namespace tauprof
