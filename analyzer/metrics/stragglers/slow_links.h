// Whose link is to blame for slow transfers (slow_transfers.h).
//
// A bad link slows everything that its rank takes part in. So a slow transfer's culprit is the member whose
// communicators are all slow at that time, if there is only one such member. Example, a grid of four tensor groups and
// four data groups: rank 6 is in the second tensor group and in the third data group. If exactly these two are slow,
// rank 6's link is to blame.
//
// A communicator of which the transfers before and after that time differ became slow, or recovered, at an unknown
// moment between them. It is slow as far as the slow transfer's communicator was so all the way to the one that is
// slow, since a link slows both at once. Example: the tensor group is slow from step 1 into the forward pass of step 2.
// The data groups transfer in backward passes only, rank 6's slowly in step 1, rank 7's in step 2, for rank 11's link.
// Rank 6 is to blame for the forward pass: before rank 7's slow transfer the tensor group had recovered.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

class SlowLinks {
 public:
  SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // The rank (index into the timelines) whose link makes this match's communicator slow; kNoIndex: the communicator is
  // not slow, or nothing tells whose link it is. One that cannot be compared is as the last before it that can.
  uint32_t culprit(uint32_t match) const { return culprits_[match]; }

 private:
  std::vector<uint32_t> culprits_;
};

}  // namespace tauprof
