// How long the collectives of a run moved data, by kind and size.
//
// The time of a collective is the shortest span over its members: it holds no waiting and depends on no clock. That is
// so where every member needs every other, if all have device times and are the members. Of one size the median counts:
// other traffic makes some collectives longer, and half of them say what the link does as long as it does not disturb
// most.
#pragma once

#include <map>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/link_model/link_fit.h"
#include "metrics/statistics/step_selection.h"

namespace tauprof {

struct TransfersOfSize {
  double bytes = 0;  // S; the median, where several sizes were put together
  double median_ns = 0;
  uint64_t count = 0;
};

struct TransfersOfKind {
  std::vector<TransfersOfSize> sizes;  // ascending
  int64_t from_bytes = 0;
  int64_t to_bytes = 0;
};

// Of the collectives that start in an analysed step of a rank.
std::map<LinkKind, TransfersOfKind> transfers_by_size(const std::vector<RankTimeline>& ranks,
                                                      const std::vector<MatchedCollective>& matches,
                                                      const StepSelection& steps);

}  // namespace tauprof
