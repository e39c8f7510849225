// The purpose of each communicator, in words.
#pragma once

#include <string>

#include "metrics/collectives/parallelism.h"

namespace tauprof {

// "data", "sharded (ZeRO-3)"
std::string kind_words(const ParallelGroups& group);
// "4 x 8 ranks"
std::string group_words(const ParallelGroups& group);

}  // namespace tauprof
