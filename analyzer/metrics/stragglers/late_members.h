// Which members of a collective came late, how late, and how long the others waited for each.
//
// Each slice of a member's wait is shared equally by the members that had not yet arrived in that slice. Where all
// members end together, a member may wait beyond the last arrival, because clocks differ (collective_waits.h). That
// part belongs to the member with the shortest span: whatever the clocks say, it came last. In an all-to-all of unequal
// parts the shortest span may be that of the rank with the smallest part, so there only clocks tell.
#pragma once

#include <set>
#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

struct Arrival {
  Nanoseconds time;  // as RankTimeline::arrival
  uint32_t member;   // of the match
};

// By time. All members must have device times.
std::vector<Arrival> arrivals_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

struct LateMember {
  uint32_t member;
  // Behind the typical member, the lower median of those that waited, each counted by how long: by the clocks, or by
  // how much less it waited, whichever is more.
  Nanoseconds lateness;
  double waited;  // by the others for this one, in ns
};

// Those for which others waited, in order of arrival. All members must be split.
std::vector<LateMember> late_members(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

struct WaitFor {
  uint32_t waiter, late;  // members of the match
  double ns;
};

// The same by waiting member: of one late member they sum to LateMember::waited. `waiting`: the ranks whose waits are
// wanted, indices into the timelines; empty: all.
std::vector<WaitFor> waits_by_member(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                                     const std::set<uint32_t>& waiting);

}  // namespace tauprof
