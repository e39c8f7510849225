// From updates to steps: where each step starts and ends.
//
// A step starts in the section before its update, with the launch before which the host pauses longest there and in
// most other sections (step_openings.h). What lies before, such as reading back, clearing gradients and averages of the
// weights, ends the step before. Example, U the update, R a copy to the host, S a synchronisation, C an input copy,
// evaluation C F F F R S:
//     … U R S | C F F F B B B U R S C F F F R S | C F F F B B B U …
// Where the first launches of a usual step come more often in a section than in the usual one, the step starts later in
// it, so that they come as often: what lies before is extra work, such as an evaluation, after the step before. It is
// none if it shows most of the kernels of a step: then it is another micro-batch. The set-up before the first step
// belongs to no step.
//
// A step that started before the recording is left out. So is the last one if its update was not recorded.
#pragma once

#include <cstddef>
#include <vector>

#include "steps/launch_sequence.h"

namespace tauprof {

struct StepBounds {
  size_t start = 0;  // launches [start, end)
  size_t end = 0;
  size_t extra = 0;   // extra work after the step starts here; `end`: there is none
  size_t update = 0;  // launches of its update
};

// From the last input copies before the only update (without any: from the first launch) to the next input copy.
StepBounds bounds_of_single_step(const LaunchSequence& sequence, const Update& update);
std::vector<StepBounds> find_step_bounds(const LaunchSequence& sequence, const std::vector<Update>& updates);

}  // namespace tauprof
