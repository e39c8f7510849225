// Ranks, steps and communicators in a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/collectives/parallelism.h"

namespace tauprof {

// Ranks and steps in a sentence: "rank 3", "ranks 0, 4, 6", "16 ranks, every 4th from 0", "ranks 0, 1, … and 5 more".
// Rising, at least one.
std::string ranks_in_words(const std::vector<int32_t>& ranks);
std::string steps_in_words(const std::vector<int64_t>& steps);
// "4 of 8 ranks"; "1 rank" of a job with one, or whose size nobody says (0).
std::string counted_ranks(int64_t ranks, int64_t world_size);

// The purpose of each communicator, in words.
// "data", "sharded (ZeRO-3)"
std::string kind_words(const ParallelGroups& group);
// "4 x 8 ranks"
std::string group_words(const ParallelGroups& group);

}  // namespace tauprof
