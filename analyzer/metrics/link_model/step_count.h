// How many times the data of a collective passes from rank to rank, one after the other: what its latency multiplies.
//
//                             ring        tree          pat
//   all_reduce                2 (n − 1)   2 ⌈log2 n⌉
//   all_gather, reduce_scatter  n − 1                   ⌈log2 n⌉
//   all_to_all                  n − 1 messages of each rank, whatever the algorithm
//
// Where nobody recorded the algorithm, the ring's steps count, by convention. Others (NVLS, CollNet) let the network
// add up; they count as one step, so that their α is the whole latency.
#pragma once

#include <cstdint>

#include "log/format.h"
#include "model/collective_algorithm.h"

namespace tauprof {

// 0: an operation that has no such model.
int32_t step_count(log::Operation operation, CollectiveAlgorithm algorithm, int32_t ranks);

}  // namespace tauprof
