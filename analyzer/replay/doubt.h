// How far a replay rests on waits of which nothing tells what they are for: edges that are only assumed
// (inferred_waits.h), and collectives whose members are not known.
//
// The step is replayed with the assumed edges; without them, while each of these waits lasts as long as it did; and
// without these waits, less what the run itself is shorter without them, for that is not due to the change. And it is
// replayed with each collective as short as the shortest of its kind, as if all members had changed alike. The truth
// lies between, whatever the waits are for. Where that leaves more than a tenth of the step open, there is no answer.
#pragma once

#include "replay/answer.h"
#include "replay/changes.h"

namespace tauprof {

Answer answered(RunGraph& run, const Changes& changes);

}  // namespace tauprof
