// Alternating updates make one step together: the two networks of a GAN, or several updates of its critic for each one
// of the generator.
//
// A round is everything from one update's end to the end of the next. A round with input of its own starts a step, and
// so does one of the same work as the round with which the step started; other work on the same input continues the
// step. If steps then differ in their number of updates, work that is repeated at once, with input, continues it as
// well. Rounds are compared by the kernels that the backward thread launches (without one: by all since the last input)
// and how often, so evaluations between updates do not matter. Examples, C an input copy:
//   C F B [adam-d] f b F B [adam-g] C F B [adam-d] …       two updates make a step
//   C F B [adam] C f b [adam] C F B [adam] …               batches of two kinds: each is a step
//   C F B [adam] F B [adam] C F B [adam] …                 the same work again: each is a step
//   C F B [adam-d] f b [adam-g] F B [adam-d] f b [adam-g]  two steps over one input
//   C F B [adam-d] C F B [adam-d] f b [adam-g] C …         three updates make a step
#pragma once

#include <cstddef>
#include <vector>

#include "steps/launch_sequence.h"

namespace tauprof {

// Joins the updates of each step into one. Returns the number of updates in a step.
size_t join_alternating_updates(const LaunchSequence& sequence, std::vector<Update>& updates);

}  // namespace tauprof
