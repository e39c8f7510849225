// Which communicators transfer slower than others that do the same, and whose link that points at.
//
// The shortest span of a collective over its members is free of waiting and of clocks. Communicators of one size that
// carry out the same operation on as many bytes should need the same; one that needs a quarter more than the typical
// one (the lower median) is slow. A bad link slows everything that its rank takes part in, so the rank all of whose
// communicators are slow is to blame, if it is the only such member. Example, a grid of four tensor groups and four
// data groups: rank 6 is in the second tensor group and in the third data group. If exactly these two are slow, it is
// rank 6's link. A link may be slow for a while, so each step is judged by itself; the run as a whole decides where a
// step has too few transfers.
#pragma once

#include <vector>

#include "metrics/collective_match.h"

namespace tauprof {

class SlowLinks {
 public:
  SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // The rank (index into the timelines) whose link makes this match's communicator slow; kNoIndex: it is not slow, or
  // nothing tells whose.
  uint32_t culprit(uint32_t match) const { return culprits_[match]; }

 private:
  std::vector<uint32_t> culprits_;
};

}  // namespace tauprof
