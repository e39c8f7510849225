// Steps by what PyTorch says of itself (docs/metrics.md, "Steps and phases").
//
// A step ends with the update that completes a round of all optimizers (update_rounds.h); step_cut.h says where the
// next one starts. Each thread that updates has rounds of its own. Where compilation hides updates, backward passes go
// on without any; then clearing gradients after a pass ends the step, or the next forward pass in a program that never
// clears them. In a program without updates and backward passes each outermost forward pass is a step.
#pragma once

#include "model/process_trace.h"
#include "steps/found_steps.h"

namespace tauprof {

// Also says which forward passes are evaluations, in trace.marks.
FoundSteps find_marked_steps(ProcessTrace& trace);

}  // namespace tauprof
