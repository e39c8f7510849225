// Which steps of different ranks are the same, where steps were found and not marked.
//
// Each process numbers the steps that it finds from 0, so a rank whose recording starts late gives 0 to a later step
// than its peers. Collectives tell what happened together: if rank 3's step 0 has the same all-reduces as rank 0's step
// 2, rank 3's numbers are too small by 2. Each rank is compared with the rank that has the most steps, and shifted by
// what most of the collectives of both ranks say. If more than a few of them say something else, the two ranks'
// steps start at different points of the program: the rank disagrees.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct StepAgreement {
  std::vector<int32_t> shifted;      // ranks whose recording started in another step
  std::vector<int32_t> disagreeing;  // ranks whose steps start at other points of the program
};

// Changes the numbers of the ranks' steps, unless they are marked.
StepAgreement agree_on_steps(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
