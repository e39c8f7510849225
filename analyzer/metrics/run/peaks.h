// The peaks of devices and links that a run is held against.
#pragma once

#include <optional>
#include <vector>

#include "metrics/collectives/collective_table.h"
#include "metrics/efficiency/gemm_table.h"
#include "metrics/kernels/kernel_table.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The bounds of a run's kernels and products (metrics/efficiency/roofline.h).
// Fills `roofline` of each.
void find_bounds(std::vector<KernelMetrics>& kernels, std::vector<GemmMetrics>& gemms);

// Peak bandwidth of the links of each collective's members, to hold its bus bandwidth against.
//
// The user says it, or the table of devices does for ranks on one host (efficiency/device_peaks.def). Between hosts it
// depends on network cards that nothing records.
void set_link_peaks(const std::vector<RankTimeline>& ranks, const std::optional<double>& given_gb_per_s,
                    std::vector<CollectiveMetrics>& collectives);

}  // namespace tauprof
