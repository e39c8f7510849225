// Which steps of different ranks are the same, where the steps were found and not marked.
//
// Each process counts the steps that it finds from 0. A rank whose recording starts late counts another step as 0 than
// its peers. But collectives say what happened together: if rank 3's step 0 shares its all-reduces with rank 0's step
// 2, rank 3's numbers are two too small. Each rank is shifted by what most of the collectives that it shares with the
// rank of the most steps say. Where more than a few say otherwise, the ranks do not cut their steps alike: that rank
// disagrees.
#pragma once

#include <vector>

#include "metrics/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct StepAgreement {
  std::vector<int32_t> shifted;      // ranks that began in another step
  std::vector<int32_t> disagreeing;  // ranks that cut their steps otherwise
};

// Changes the numbers of the ranks' steps. Marked steps keep theirs.
StepAgreement agree_on_steps(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
