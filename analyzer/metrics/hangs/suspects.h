// Which ranks to look at first where a job hangs, and why.
//
// A rank is suspected if others wait for it and it waits for nobody (hang_search.h), if it is part of a circle of
// waits, or if it called something else than its peers. Silent ranks are suspected anyway; ranks without a log if all
// recorded members have come.
#pragma once

#include <set>
#include <vector>

#include "metrics/hangs/job_progress.h"

namespace tauprof {

// Ranks that have called one of the operations.
std::set<int32_t> callers_of(const std::vector<HangingOperation>& operations);

// Fills is_stuck, suspects and deadlocks of `progress` from its other fields and the operations that hang. Ranks are
// numbered below `world_size`.
void find_suspects(const std::vector<HangingOperation>& operations, int32_t world_size, JobProgress& progress);

}  // namespace tauprof
