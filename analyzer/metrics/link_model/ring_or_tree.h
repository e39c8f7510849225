// Whether all-reduces of unknown algorithm ran as rings or as trees.
//
// One communicator size cannot tell: the latency is that of 2 (n − 1) steps of α each, or of 2 ⌈log2 n⌉ steps of a
// larger α. Two sizes can, if their links are of one kind (all on one host, or as many ranks on each host). Example: 18
// µs with 4 ranks and 42 µs with 8 are 6 and 14 steps of 3 µs. A tree has 4 and 6, of 4.5 µs and 7 µs, which is no
// common α. Nothing is said if both agree or neither does, or if one line does not describe all sizes, because NCCL may
// have used both.
#pragma once

#include <vector>

#include "metrics/link_model/link_fit.h"

namespace tauprof {

// Sets algorithm, is_inferred and steps where the latencies tell.
void tell_ring_from_tree(std::vector<LinkFit>& fits);

}  // namespace tauprof
