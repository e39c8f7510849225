// Peak bandwidth of the links of each collective's members, to hold its bus bandwidth against.
//
// The user says it, or the table of devices does for ranks on one host (efficiency/device_peaks.def). Between hosts it
// depends on network cards that nothing records.
#pragma once

#include <optional>
#include <vector>

#include "metrics/collectives/collective_table.h"
#include "model/rank_timeline.h"

namespace tauprof {

void set_link_peaks(const std::vector<RankTimeline>& ranks, const std::optional<double>& given_gb_per_s,
                    std::vector<CollectiveMetrics>& collectives);

}  // namespace tauprof
