// How far clocks may put a wait wrong.
//
// Where members end together, what is longer than the shortest span was spent waiting, whatever the clocks say. So only
// the rest of a wait rests on clocks. Example: clocks may be off by 80, and a member waited 70 in an all-reduce that
// took it 100 and its peer 30. Lengths alone tell those 70, so nothing is in doubt. In a message, all 70 would be.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

class ClockDoubts {
 public:
  ClockDoubts(const std::vector<RankTimeline>& ranks, const MatchedCollective& match);

  // About the wait of a member that is split.
  Nanoseconds of_wait(const CollectiveMember& member) const { return std::min(apart_from_lengths(member), clocks_); }
  // About how long the others waited for a member.
  Nanoseconds of_lateness(const CollectiveMember& late) const;

 private:
  // The part of a wait that lengths alone do not prove.
  Nanoseconds apart_from_lengths(const CollectiveMember& member) const;

  // The first two in order, so that the others' first one is known for each member, with its rank.
  using FirstTwo = std::array<std::pair<Nanoseconds, uint32_t>, 2>;
  static Nanoseconds of_others(const FirstTwo& two, uint32_t rank) { return two[two[0].second == rank].first; }

  const std::vector<RankTimeline>& ranks_;
  bool ends_tell_ = false;  // members end together, and all are known
  Nanoseconds shortest_ = 0;
  Nanoseconds clocks_ = 0;  // the furthest that a member's clock may be off
  FirstTwo surest_;         // uncertainty of clocks
  FirstTwo doubtful_;       // of waits
};

}  // namespace tauprof
