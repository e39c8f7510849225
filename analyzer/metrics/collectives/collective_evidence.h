// Evidence of matched collectives about the ranks' clocks (docs/metrics.md, "Clocks"). Nothing is proved by empty
// transfers, nor by members whose peers are not known (an all-to-all of unequal parts, a kernel known only by name).
#pragma once

#include "align/clock_evidence.h"
#include "metrics/collectives/collective_match.h"

namespace tauprof {

// Whether its members end it together, by what the records know of sizes.
Ends ends_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

ClockEvidence evidence_of(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
