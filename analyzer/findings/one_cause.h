// Findings that are one cause become one finding: the replay says which.
//
// A cause shows in more than one place: a stall of one rank in step 20 makes that rank a straggler, a row of its ledger
// long, and step 20 an outlier. Repaired together they give no more than the one that gives most. Then the finding that
// tells most stays (Finding::tells), and says what the others say.
#pragma once

#include <set>
#include <vector>

#include "findings/finding.h"
#include "replay/repair.h"

namespace tauprof {

// Of findings with their savings. `no_examples` as in Repairs::apply.
void join_causes(const Faults& no_examples, Repairs& repairs, RunGraph& run, std::vector<Finding>& findings);

}  // namespace tauprof
