// How far a replay rests on edges that are only assumed (inferred_waits.h).
//
// Where nothing tells what a wait is for, the step is replayed three times: with the assumed edges; without them, while
// each of these waits lasts as long as it did; and without these waits. The truth lies between, whatever they are for.
// Where that leaves more than a tenth of the step open, there is no answer.
#pragma once

#include "replay/answer.h"
#include "replay/changes.h"

namespace tauprof {

Answer answered(const RunGraph& run, const Changes& changes);

}  // namespace tauprof
