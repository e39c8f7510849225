// How far a replay rests on waits of which nothing tells what they are for: edges that are only assumed
// (inferred_waits.h), and collectives whose members are not known.
//
// The step is replayed three times: with the assumed edges; without them, while each of these waits lasts as long as it
// did; and without these waits, where a collective takes as long as the shortest of its kind. The truth lies between,
// whatever they are for. Where that leaves more than a tenth of the step open, there is no answer.
#pragma once

#include "replay/answer.h"
#include "replay/changes.h"

namespace tauprof {

Answer answered(const RunGraph& run, const Changes& changes);

}  // namespace tauprof
