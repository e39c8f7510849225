// What matched collectives prove about the ranks' clocks (docs/metrics.md, "Clocks"). Members whose peers' part is not
// known (an all-to-all of unequal parts, a kernel of which only the name is known) and empty transfers prove nothing.
#pragma once

#include "align/clock_evidence.h"
#include "metrics/collective_match.h"

namespace tauprof {

ClockEvidence evidence_of(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
