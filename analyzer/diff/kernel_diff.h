// Kernels, copies and memsets of both sides, by name and class.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

// The largest difference first. A kernel that a side lacks took no time there. Empty without device times.
std::vector<KernelDiff> compare_kernels(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
