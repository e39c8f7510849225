// Does a rank compute for longer because it has more to compute, or because it is slower at the same work?
//
// Example: rank 2 computes for 90 ms, its peers for 60, in as many kernels. Its matrix multiplications are 5e12
// floating-point operations, its peers' 3e12. So two fifths of rank 2's work are extra, which is 36 of its 90 ms and
// more than half of the 30 ms in question: it has more to compute. With 3.1e12 operations the extra work would explain
// 3 ms: the rank is slower.
#pragma once

#include "model/rank_timeline.h"

namespace tauprof {

struct ComputeSpending {
  ComputeWork work;
  Nanoseconds time = 0;
};
ComputeSpending computing(const SpentTime& spent);

// `typical`: of its peers, which took less time. `gained`: the part of its extra work that is not catching up
// (compute_lead.h); it must be at least half. Extra kernels need not explain the time: a single one may be the longest.
bool is_more_work(const ComputeSpending& own, const ComputeSpending& typical, const ComputeWork& gained);

}  // namespace tauprof
