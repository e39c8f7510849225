// From what a step is known by to where it begins and ends.
//
// An update ends the work of a step. The next begins with the work that follows, but not with the launch that follows:
//   - what reads back (losses, norms, checkpoints) or waits, and what clears gradients, belongs to the step before;
//   - so does what goes beyond a usual step in front of it (an evaluation); the set-up before the first step belongs
//     to none. A step is recognised by how the median step begins.
// Example, U the update, R a copy to the host, S a synchronisation, C an input copy, evaluation C F F F R S:
//     … U R S | C F F F B B B U R S C F F F R S | C F F F B B B U …
//
// Where the update itself is not known, only passes or places that recur, the step begins at the first input copy after
// one, else where the host usually pauses longest.
//
// A step that began before the recording is left out, and so is the last one if its update was not recorded.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/updates.h"

namespace tauprof {

struct StepCut {
  size_t begin = 0;  // launches [begin, end)
  size_t end = 0;
  size_t extra = 0;   // from here on, other work that was found behind the step; `end`: none
  size_t update = 0;  // launches of its update; 0: not known
};

// From the last input copies in front of the only update, else from the first launch, to the end of what follows it.
StepCut cut_single_step(const LaunchSequence& sequence, const StepAnchor& update);
std::vector<StepCut> cut_steps(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors,
                               bool ends_with_update);

}  // namespace tauprof
