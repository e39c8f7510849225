// The inputs to blame that do not depend on tracing other matches: who came late to a match, and what its members had
// spent.
#pragma once

#include <vector>

#include "metrics/stragglers/late_members.h"
#include "metrics/stragglers/peer_spending.h"

namespace tauprof {

struct PreparedMatch {
  uint32_t match;
  std::vector<LateMember> late;
  SpendingTable::OfMembers spending;  // none between stages
};

class MatchPreparation {
 public:
  // `matches`: all; `order`: indices of those that are to be prepared, whose members must be split.
  MatchPreparation(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                   const PipelineStages& stages, const SpendingTable& spending, const std::vector<uint32_t>& order)
      : ranks_(ranks), matches_(matches), stages_(stages), spending_(spending), order_(order) {}

  // In that order; none: all were.
  std::vector<PreparedMatch> next();

 private:
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const PipelineStages& stages_;
  const SpendingTable& spending_;
  const std::vector<uint32_t>& order_;
  size_t next_ = 0;
};

}  // namespace tauprof
