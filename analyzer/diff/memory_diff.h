// What the runs of each side took of their devices' memory.
#pragma once

#include "diff/diff.h"

namespace tauprof {

// Those that are known for every run of both sides.
std::vector<MemoryDiff> compare_memory(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
