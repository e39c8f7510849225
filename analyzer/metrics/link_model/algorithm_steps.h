// Steps of NCCL's algorithms: how many they take, and which algorithm latencies tell.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "metrics/link_model/link_fit.h"
#include "model/collective_algorithm.h"

namespace tauprof {

// How many times the data of a collective passes from rank to rank, one after the other: what its latency multiplies.
//
//                             ring        tree          pat
//   all_reduce                2 (n − 1)   2 ⌈log2 n⌉
//   all_gather, reduce_scatter  n − 1                   ⌈log2 n⌉
//   all_to_all                  n − 1 messages of each rank, whatever the algorithm
//
// Where nobody recorded the algorithm, the ring's steps count, by convention. Others (NVLS, CollNet) let the network
// add up; they count as one step, so that their α is the whole latency.
//
// 0: an operation that has no such model.
int32_t step_count(log::Operation operation, CollectiveAlgorithm algorithm, int32_t ranks);

// Whether all-reduces of unknown algorithm ran as rings or as trees.
//
// One communicator size cannot tell: the latency is that of 2 (n − 1) steps of α each, or of 2 ⌈log2 n⌉ steps of a
// larger α. Two sizes can, if their links are of one kind (all on one host, or as many ranks on each host). Example: 18
// µs with 4 ranks and 42 µs with 8 are 6 and 14 steps of 3 µs. A tree has 4 and 6, of 4.5 µs and 7 µs, which is no
// common α. Nothing is said if both agree or neither does, or if one line does not describe all sizes, because NCCL may
// have used both.
//
// Sets algorithm, is_inferred and steps where the latencies tell.
void tell_ring_from_tree(std::vector<LinkFit>& fits);

}  // namespace tauprof
