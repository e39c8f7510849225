#include "replay/member_waits.h"

#include <algorithm>
#include <cstdlib>

#include "limits/analysis_limits.h"

namespace tauprof {

MemberWaits::Kind MemberWaits::kind_of(const MatchedCollective& match) {
  const bool is_message = match.is_point_to_point;
  return {match.has_identity, match.communicator, is_message, is_message ? log::Operation::kUnknown : match.operation,
          is_message ? 0 : match.count};
}

void MemberWaits::look_at(const MatchedCollective& match) {
  const CollectiveMember* last = &match.members.front();
  for (const CollectiveMember& member : match.members)
    if (time_of_(member).start > time_of_(*last).start) last = &member;
  const Nanoseconds came = time_of_(*last).start, ended = time_of_(*last).end;
  Seen& seen = seen_[kind_of(match)];
  bool came_before = false, ended_together = true;
  for (const CollectiveMember& member : match.members) {
    if (member.rank == last->rank || (match.is_point_to_point && member.receives)) continue;
    const Nanoseconds bound = ranks_[member.rank].run_clock.uncertainty() + ranks_[last->rank].run_clock.uncertainty();
    const Interval time = time_of_(member);
    seen.left_early |= time.end + bound < came;
    seen.waited |= time.start + bound + kClearlyLast < came && time.end > came + bound;
    if (time.start + kEndsApart + kClearlyLast >= came) continue;
    came_before = true;
    ended_together &= std::abs(time.end - ended) <= kEndsApart;
  }
  seen.came_before += came_before ? 1u : 0u;
  seen.ended_together += came_before && ended_together ? 1u : 0u;
}

bool MemberWaits::wait_for_all(const MatchedCollective& match) const {
  const Seen seen = seen_of(match);
  const bool end_together =
      seen.came_before >= kFewestTestedWaits &&
      static_cast<double>(seen.ended_together) >= kNearlyAllWaits * static_cast<double>(seen.came_before);
  return !seen.left_early && (seen.waited || end_together);
}

}  // namespace tauprof
