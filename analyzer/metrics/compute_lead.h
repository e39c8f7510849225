// Does a rank have more to compute than its peers, or the same for longer?
//
// How much it ran between two collectives (compute_work.h; here: how many kernels) does not tell: where collectives run
// beside kernels, a slow rank runs more of them there than peers that have finished and wait. Its *lead* does: how many
// kernels more than the typical member it has run since the start of the recording, whenever it arrives at a
// collective. A slow rank's lead falls and comes back to where it was; a rank with more to do reaches a new high.
//
// Example: both ranks have 10 kernels a step. At three collectives the fast one has run 6, 10 and 16, the slow one 4,
// 10 and 14: the slow one's lead is -2, 0, -2. It ran 6 kernels before the second, the fast one 4, but it gained
// nothing over its highest lead, 0: the two more it only *caught up*. Its peers did the same before, so that it does it
// now made nobody late who was not late already.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

class ComputeLead {
 public:
  ComputeLead(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // By how much the member's lead is higher than ever before on this communicator, measure by measure; 0: it is not, or
  // the match is point-to-point or lacks a member.
  const ComputeWork& gained(uint32_t match, uint32_t member) const { return gained_[match][member]; }

 private:
  std::vector<std::vector<ComputeWork>> gained_;
};

}  // namespace tauprof
