// Which communicators transfer more slowly than others that do the same, and whose link is to blame.
//
// The shortest span of a collective over its members contains no waiting and depends on no clock. Communicators of
// equal size that carry out the same operation on as many bytes should take equally long; one that takes a quarter
// longer than the typical one (the lower median) is slow. A bad link slows everything that its rank takes part in. So a
// slow communicator's culprit is the member whose communicators are all slow, if there is only one such member.
// Example, a grid of four tensor groups and four data groups: rank 6 is in the second tensor group and in the third
// data group. If exactly these two are slow, rank 6's link is to blame. A link may be slow for a while, so each step is
// judged by itself; steps with too few transfers are judged by the whole run.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

class SlowLinks {
 public:
  SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // The rank (index into the timelines) whose link makes this match's communicator slow; kNoIndex: the communicator is
  // not slow, or nothing tells whose link it is.
  uint32_t culprit(uint32_t match) const { return culprits_[match]; }

 private:
  std::vector<uint32_t> culprits_;
};

}  // namespace tauprof
