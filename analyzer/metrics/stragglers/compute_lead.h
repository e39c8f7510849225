// Does a rank have more to compute than its peers, or the same for longer?
//
// The work between two collectives (compute_work.h; here: the number of kernels) does not tell. Where collectives run
// beside kernels, a slow rank runs more kernels in that time than peers that have finished and wait. Its *lead* tells:
// how many more kernels than the typical member it has run since the start of the recording, taken at each arrival. A
// slow rank's lead falls and returns to where it was; a rank with more to do reaches a new high.
//
// Example: both ranks run 10 kernels a step. At three collectives the fast one has run 6, 10 and 16, the slow one 4, 10
// and 14, so the slow one's lead is -2, 0, -2. Before the second collective it ran 6 kernels and the fast one 4, but it
// gained nothing over its highest lead of 0: it only *caught up* by two. Peers did the same work earlier, so doing it
// now delayed nobody.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "model/flat_map.h"
#include "model/rank_timeline.h"

namespace tauprof {

class ComputeLead {
 public:
  ComputeLead(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // By how much the member's lead exceeds its highest so far on this communicator, for each measure. 0 if it does not,
  // or if the match is a message or lacks a member.
  ComputeWork gained(uint32_t match, uint32_t member) const {
    const auto found = gained_[match].find(member);
    return found == gained_[match].end() ? ComputeWork{} : found->second;
  }

 private:
  std::vector<FlatMap<uint32_t, ComputeWork>> gained_;  // by match and member, of those that gained
};

}  // namespace tauprof
