// How long steps are with repairs.
//
// A repaired rank does as its examples do. Which steps of which peer these are is chance, so all is replayed once more
// with others (chance.h). And a peer is an example in all that it does, also where it takes longer than the rank: it
// may have had trouble of its own there, or its host waited where no record shows it, perhaps for this very rank. What
// such an operation would take on the rank is no answer to what the repair gives, so there is none.
#pragma once

#include <functional>

#include "replay/doubt.h"
#include "replay/repair.h"

namespace tauprof {

// Makes the repairs' changes, with these examples. Returns why that cannot be; empty: it was done.
using MakeRepairs = std::function<std::string(Changes&, Draw)>;

// The step with the repairs; or, where it is longer by more than kLongerStep because an example takes longer, why it is
// not known. `is_all`: nothing else is changed, which might make it longer rightly.
Answer repaired(RunGraph& run, const MakeRepairs& make, bool is_all = true);

}  // namespace tauprof
