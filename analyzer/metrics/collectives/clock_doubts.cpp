#include "metrics/collectives/clock_doubts.h"

#include <utility>

#include "metrics/collectives/collective_evidence.h"

namespace tauprof {

ClockDoubts::ClockDoubts(const std::vector<RankTimeline>& ranks, const MatchedCollective& match)
    : ranks_(ranks), ends_tell_(match.is_complete() && ends_of(ranks, match) == Ends::kCommon) {
  surest_.fill({INT64_MAX, kNoIndex});
  doubtful_.fill({0, kNoIndex});
  if (ends_tell_) shortest_ = shortest_span(ranks, match);
  for (const CollectiveMember& member : match.members) {
    const Nanoseconds clock = ranks[member.rank].uncertainty(called(ranks, member));
    clocks_ = std::max(clocks_, clock);
    std::pair sure{clock, member.rank};
    for (auto& one : surest_)
      if (sure.first < one.first) std::swap(one, sure);
    std::pair doubt{apart_from_lengths(member), member.rank};
    for (auto& one : doubtful_)
      if (doubt.first > one.first) std::swap(one, doubt);
  }
}

Nanoseconds ClockDoubts::apart_from_lengths(const CollectiveMember& member) const {
  if (!ends_tell_) return INT64_MAX;
  const RankCollective& collective = called(ranks_, member);
  return std::max<Nanoseconds>(0, collective.wait() - (collective.end - collective.start - shortest_));
}

// The first rank's clock is the run's, so if the late one is sure, the others may still be off: the surest of them
// counts.
Nanoseconds ClockDoubts::of_lateness(const CollectiveMember& late) const {
  const Nanoseconds others = of_others(surest_, late.rank);
  const Nanoseconds clocks =
      std::max(ranks_[late.rank].uncertainty(called(ranks_, late)), others == INT64_MAX ? 0 : others);
  return std::min(of_others(doubtful_, late.rank), clocks);
}

}  // namespace tauprof
