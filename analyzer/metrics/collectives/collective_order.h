// Which collectives of one communicator are the same where they have no sequence numbers: by their order.
//
// Ranks may have started or stopped recording at different times, so each rank's list is shifted against the longest
// list to where the most collectives agree in operation, type and count (but ranks' parts of an all-to-all may differ),
// and end together. Members end a collective together, so from one pair to the next the difference of their ends, which
// is the difference of the clocks, hardly changes; the clocks themselves may be wrong by more than a collective lasts.
// Example: rank 0 recorded 31 collectives, rank 2 the last 27 of them. Of the shifts 0 to 4 only 4 pairs all-reduces
// with all-reduces, so rank 2's first collective is rank 0's fifth.
//
// A record that is lost in the middle shifts everything on one side of it, and the difference of the ends changes
// there. Where it does under the best shift, the lists are walked through side by side instead, and what has no partner
// at that difference is left alone. Example, clocks 5 apart:
//
//   A ends at    10   20   30   41   50
//   B ends at    15   25        46   55        by shift, B's third would be A's third: 16 apart
#pragma once

#include <utility>
#include <vector>

#include "metrics/collectives/collective_member.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The collectives of one rank on one communicator, in order.
struct CollectiveList {
  uint32_t rank;  // index into the run's timelines
  std::vector<CollectiveMember> units;
};

// Where a collective belongs: equal places mean that two are the same one. They are ordered as the collectives are.
using OrderPlace = std::pair<int64_t, int64_t>;

// By list and position in it. There is at least one list, and none is empty.
std::vector<std::vector<OrderPlace>> places_by_order(const std::vector<RankTimeline>& ranks,
                                                     const std::vector<CollectiveList>& lists);

}  // namespace tauprof
