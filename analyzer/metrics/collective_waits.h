// When each collective could move, and how long each rank waited (docs/metrics.md, "Collectives").
//
// ready(r) is the latest arrival among the members that arrived before end(r); the wait is
// ready − arrival, the transfer end − ready. Needs all members and one clock: a collective that
// misses a member, or of which only a send-receive kernel is known, stays unsplit. So do all where too many contradict
// a common clock, and all of a communicator whose all-pairs collectives do not end together: then its ranks are not one
// group (an imported trace does not name groups) or their clocks differ. A single contradiction is a residual offset
// between devices: that member's arrival does not count for the one that ended before it.
#pragma once

#include <vector>

#include "metrics/collective_match.h"

namespace tauprof {

struct WaitQuality {
  uint64_t split = 0;
  uint64_t incomplete = 0;     // a member's log is missing, it did not record it, or peers are unknown
  uint64_t contradicting = 0;  // all-pairs collectives of which a member ended before another started
  uint64_t not_together = 0;   // communicators whose members do not end together
  bool clocks_agree = true;    // false: too many contradict, so nothing was split
};

// Fills ready, is_split and is_upper_bound of every collective that can be split.
WaitQuality split_waits(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
