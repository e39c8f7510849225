// Alternating updates make one step together: the two networks of a GAN, or several updates of its critic for each one
// of the generator.
//
// A round is everything from one update's end to the end of the next. Rounds without input of their own belong to the
// step of the round with input before them if they do other work: they continue with the same input. Where no round
// brings input, rounds form one step if they repeat with a period of several updates. Rounds are compared by the
// kernels that the backward thread launches (without one: by all kernels) and how often, so evaluations between updates
// do not matter. Examples, C an input copy:
//   C F B [adam-d] f b F B [adam-g] C F B [adam-d] …   two updates make a step
//   C F B [adam] C f b [adam] C F B [adam] …           batches of two kinds: each is a step
//   C F B [adam] F B [adam] C F B [adam] …             the same work again: each is a step
//   C F B [adam-d] f b [adam-g] F B [adam-d] f b …     two periods over one input: each is a step
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

// Joins the anchors of each step into one. Returns the number of updates in a step.
size_t join_alternating_updates(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors);

}  // namespace tauprof
