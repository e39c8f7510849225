// Whether changes that should make steps shorter make them longer, and why.
//
// A peer is an example in all that it does, also where it takes longer than the rank: it may have had trouble of its
// own there, or its host waited where no record shows it, perhaps for this very rank. What such an operation would take
// on the rank is no answer to what the repair gives, so there is none.
#pragma once

#include "replay/doubt.h"

namespace tauprof {

// The step with the changes; or, where it is longer by more than kLongerStep because an example takes longer, why it is
// not known.
Answer repaired(const RunGraph& run, const Changes& changes);

}  // namespace tauprof
