// Updates that take turns make one step together: the two networks of a GAN, several updates of its critic for one of
// the generator.
//
// They are one step if those that bring no input of their own do other work than the one with input before them: they
// go on with what that one brought. Where no update brings input, they are one step if the passes before them repeat
// with a period of several updates. Work is told by the kernels that the backward thread launches, where there is one,
// and how often; what is evaluated between updates does not matter then. Examples, C an input copy:
//   C F B [adam-d] f b F B [adam-g] C F B [adam-d] …   two turns make a step
//   C F B [adam] C f b [adam] C F B [adam] …           batches of two kinds: each is a step
//   C F B [adam] F B [adam] C F B [adam] …             the same work again: each is a step
//   C F B [adam-d] f b [adam-g] F B [adam-d] f b …     two rounds over one input: each is a step
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/updates.h"

namespace tauprof {

// Joins the anchors of each step to one. Returns how many updates a step has.
size_t join_turns(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors);

}  // namespace tauprof
