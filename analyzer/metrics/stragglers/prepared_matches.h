// The inputs to blame that do not depend on tracing other matches: who came late to a match, and what its members had
// spent. While some matches are traced, another thread prepares the next ones,
// if one can be had.
#pragma once

#include <functional>
#include <vector>

#include "metrics/stragglers/late_members.h"
#include "metrics/stragglers/peer_spending.h"

namespace tauprof {

struct PreparedMatch {
  uint32_t match;
  std::vector<LateMember> late;
  SpendingTable::OfMembers spending;  // none between stages
};

// In this order. `matches`: all; `order`: indices of those that are to be prepared, whose members must be split.
void for_each_prepared(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const PipelineStages& stages, const SpendingTable& spending, const std::vector<uint32_t>& order,
                       const std::function<void(const PreparedMatch&)>& take);

}  // namespace tauprof
