// Does a rank compute for longer because it was asked for more, or because it is slower at the same?
//
// Example: rank 2 computes 90 ms where its peers compute 60, in as many kernels. Their matrix multiplications are 3e12
// floating-point operations, rank 2's 5e12: two fifths of its work are more than theirs, and of its 90 ms that is 36,
// more than half of the 30 in question. It has more to compute. Were they 3.1e12, they would explain 3 ms: it is
// slower.
#pragma once

#include "model/compute_work.h"
#include "model/time.h"

namespace tauprof {

struct ComputeSpending {
  ComputeWork work;
  Nanoseconds time = 0;
};

// `typical`: of its peers, who took less time. `gained`: what of the work that it has more of is new, and no catching
// up (compute_lead.h); at least half must be. Kernels need not explain the time: one of many may be the longest of all.
bool is_more_work(const ComputeSpending& own, const ComputeSpending& typical, const ComputeWork& gained);

}  // namespace tauprof
