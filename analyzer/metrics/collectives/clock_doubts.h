// How far clocks may put a wait wrong.
//
// Where members end together, what is longer than the shortest span was spent waiting, whatever the clocks say. So only
// the rest of a wait rests on clocks. Example: clocks may be off by 80, and a member waited 70 in an all-reduce that
// took it 100 and its peer 30. Lengths alone tell those 70, so nothing is in doubt. In a message, all 70 would be.
#pragma once

#include "metrics/collectives/collective_match.h"

namespace tauprof {

// `clocks`: how far they may be off. Of a member that is split.
Nanoseconds wait_doubt(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                       const CollectiveMember& member, Nanoseconds clocks);

// How far clocks may put wrong how long the others waited for one of the members.
Nanoseconds lateness_doubt(const std::vector<RankTimeline>& ranks, const MatchedCollective& match, uint32_t late_rank);

// The furthest that a member's clock may be off at the match.
Nanoseconds clocks_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

}  // namespace tauprof
