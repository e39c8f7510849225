// The bounds of a run's kernels and products (metrics/efficiency/roofline.h).
#pragma once

#include <vector>

#include "metrics/efficiency/gemm_table.h"
#include "metrics/kernels/kernel_table.h"

namespace tauprof {

// Fills `roofline` of each.
void find_bounds(std::vector<KernelMetrics>& kernels, std::vector<GemmMetrics>& gemms);

}  // namespace tauprof
