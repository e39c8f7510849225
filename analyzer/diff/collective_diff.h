// Collectives of both sides, by operation, type, size and number of ranks, and by communicator where it has a name.
// Identities of communicators without one change from run to run, so those count together.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

// The largest difference of exposed time first. What a side lacks took no time there. Empty without device times.
std::vector<CollectiveDiff> compare_collectives(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
