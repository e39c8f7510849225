// Findings that share what they save: the replay says which.
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

// A repair may also save more than the time that its finding is about: a host that launches less runs ahead, and what
// it does besides, such as loading the next batch, is hidden behind the device's work. Where another finding is about
// that time and its repair gives it, too, the time is that one's: launching that takes 8 % of the step is not what the
// run is about if a loader takes 35 %.

// Of findings with their savings. `no_examples` as in Repairs::apply.
void join_causes(const Faults& no_examples, Repairs& repairs, RunGraph& run, std::vector<Finding>& findings);
void tell_hidden_time(const Faults& no_examples, Repairs& repairs, RunGraph& run, std::vector<Finding>& findings);

}  // namespace tauprof
