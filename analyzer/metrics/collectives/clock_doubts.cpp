#include "metrics/collectives/clock_doubts.h"

#include <algorithm>

#include "metrics/collectives/collective_evidence.h"

namespace tauprof {

Nanoseconds wait_doubt(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                       const CollectiveMember& member, Nanoseconds clocks) {
  if (!match.is_complete() || ends_of(ranks, match) != Ends::kCommon) return clocks;
  const RankCollective& collective = called(ranks, member);
  const Nanoseconds by_length = collective.end - collective.start - shortest_span(ranks, match);
  return std::clamp<Nanoseconds>(collective.wait() - by_length, 0, clocks);
}

// The first rank's clock is the run's, so if the late one is sure, the others may still be off: the surest of them
// counts.
Nanoseconds lateness_doubt(const std::vector<RankTimeline>& ranks, const MatchedCollective& match, uint32_t late_rank) {
  Nanoseconds late = 0, others = INT64_MAX, doubt = 0;
  for (const CollectiveMember& member : match.members) {
    const Nanoseconds clock = ranks[member.rank].uncertainty(called(ranks, member));
    (member.rank == late_rank ? late : others) = member.rank == late_rank ? clock : std::min(others, clock);
  }
  const Nanoseconds clocks = std::max(late, others == INT64_MAX ? 0 : others);
  for (const CollectiveMember& member : match.members)
    if (member.rank != late_rank) doubt = std::max(doubt, wait_doubt(ranks, match, member, clocks));
  return doubt;
}

Nanoseconds clocks_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  Nanoseconds most = 0;
  for (const CollectiveMember& member : match.members)
    most = std::max(most, ranks[member.rank].uncertainty(called(ranks, member)));
  return most;
}

}  // namespace tauprof
