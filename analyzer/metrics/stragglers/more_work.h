// Does a rank compute for longer because it has more to compute, or because it is slower at the same work?
//
// More of the same kernels, or larger ones, are more to compute. Where tokens go to experts on other ranks, kernels of
// the same name and grid last as long as their tokens are many, and the all-to-alls around them say how many: their
// bytes explain time like operations do.
//
// Example: rank 2 computes for 90 ms, its peers for 60, in as many kernels. Its matrix multiplications are 5e12
// floating-point operations, its peers' 3e12. So two fifths of rank 2's work are extra, which is 36 of its 90 ms and
// more than half of the 30 ms in question: it has more to compute. With 3.1e12 operations the extra work would explain
// 3 ms: the rank is slower. If its products are of unknown size and it exchanged 5 MB with the other ranks where these
// exchanged 3 each, it has more tokens.
#pragma once

#include "metrics/stragglers/cause.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct ComputeSpending {
  ComputeWork work;
  Nanoseconds time = 0;
  double exchanged = 0;  // as exchanged_bytes
};
ComputeSpending computing(const SpentTime& spent, double exchanged);

// Bytes that a rank sends to the others in an all-to-all, or receives if that is more; 0: none, or of unknown size.
double exchanged_bytes(const RankCollective& collective);

// kMoreCompute, kMoreTokens or kSlowCompute. `typical`: of its peers, which took less time. `gained`: the part of its
// extra work that is not catching up (compute_lead.h); it must be at least half. Extra kernels need not explain the
// time: a single one may be the longest.
Cause why_longer(const ComputeSpending& own, const ComputeSpending& typical, const ComputeWork& gained);

}  // namespace tauprof
