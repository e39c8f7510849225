// From anchors to steps: where each step starts and ends.
//
// An update ends the work of a step. The next step starts with later work, but not always with the very next launch:
//   - launches that read back (losses, norms, checkpoints), wait or clear gradients belong to the step before;
//   - so does extra work in front of a step, such as an evaluation. The set-up before the first step belongs to no
//   step.
//     The opening launches of the median step show where a step starts.
// Example, U the update, R a copy to the host, S a synchronisation, C an input copy, evaluation C F F F R S:
//     … U R S | C F F F B B B U R S C F F F R S | C F F F B B B U …
//
// If only passes or recurring grams are known, not the update itself, the step starts at the first input copy after
// one; without input copies, where the host usually pauses longest.
//
// A step that started before the recording is left out. So is the last one if its update was not recorded.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

struct StepBounds {
  size_t start = 0;  // launches [start, end)
  size_t end = 0;
  size_t extra = 0;   // extra work after the step starts here; `end`: there is none
  size_t update = 0;  // launches of its update; 0: unknown
};

// From the last input copies before the only update (without any: from the first launch) to the end of what follows it.
StepBounds bounds_of_single_step(const LaunchSequence& sequence, const StepAnchor& update);
std::vector<StepBounds> find_step_bounds(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors,
                                         bool ends_with_update);

}  // namespace tauprof
