// Steps of a program that does not mark them, by the updates of the model that are known by name (known_updates.h).
//
// Each step has one update, which ends its work; step_bounds.h says where it starts. Updates that their optimizer's
// range or their kernels name are surer than kernels over lists of tensors. The kinds of launches are counted in the
// steps; a kind agrees if nearly every step has the same number of it. The confidence is that of the sign, raised by
// every kind that agrees, or halved if none does. So a run whose optimizer is known by name, with one backward pass and
// five collectives in each step, is as good as marked. A single update makes a single step, of which less is known.
//
// Mere recurrence is no evidence: layers recur within a pass, passes within a step.
// docs/what-fools-inference.md lists the programs that mislead this.
#pragma once

#include "steps/found_steps.h"
#include "steps/launch_sequence.h"

namespace tauprof {

FoundSteps find_updated_steps(const LaunchSequence& sequence);

}  // namespace tauprof
