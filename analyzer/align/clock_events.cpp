#include "align/clock_events.h"

#include <algorithm>

namespace tauprof {
namespace {

bool share_a_clock(const RankTimeline& a, const RankTimeline& b) {
  const bool same_kind = a.clock == b.clock && (a.clock == log::Clock::kMonotonic || a.clock == log::Clock::kVirtual);
  const bool has_boot = std::any_of(a.boot_id.begin(), a.boot_id.end(), [](uint8_t byte) { return byte != 0; });
  return same_kind && has_boot && a.boot_id == b.boot_id && !a.host.empty() && a.host == b.host;
}

RunClocks::Clock recorded_clock(const RankTimeline& rank, const RankTimeline& first) {
  if (&rank == &first) return {0, 0, ClockBasis::kShared};
  if (rank.has_realtime && first.has_realtime)
    return {0, rank.realtime_offset_ns - first.realtime_offset_ns, ClockBasis::kWallClock};
  return {0, 0, rank.has_realtime == first.has_realtime ? ClockBasis::kAssumed : ClockBasis::kUnknown};
}

}  // namespace

RunClocks find_clocks(const std::vector<RankTimeline>& ranks) {
  RunClocks found;
  std::vector<const RankTimeline*> owners;  // the first rank of each clock
  for (const RankTimeline& rank : ranks) {
    // Ranks of one host mostly follow each other, so try the last clock first.
    const auto known = std::find_if(owners.rbegin(), owners.rend(),
                                    [&](const RankTimeline* owner) { return share_a_clock(*owner, rank); });
    found.clock_of_rank.push_back(
        static_cast<uint32_t>(known == owners.rend() ? owners.size() : owners.rend() - known - 1));
    if (known != owners.rend()) continue;
    owners.push_back(&rank);
    found.clocks.push_back(recorded_clock(rank, ranks.front()));
  }
  return found;
}

ClockEvents events_by_clock(const ClockEvidence& evidence, RunClocks& clocks) {
  std::vector<bool> has_origin(clocks.clocks.size());
  for (const ClockWitness& witness : evidence.witnesses)
    if (const uint32_t clock = clocks.clock_of_rank[witness.rank]; !has_origin[clock]) {
      clocks.clocks[clock].origin = witness.end;
      has_origin[clock] = true;
    }
  ClockEvents result;
  std::vector<uint32_t> witness_of_clock(clocks.clocks.size(), kNoIndex);  // of each clock among the event's witnesses
  for (size_t i = 0; i < evidence.events.size(); ++i) {
    const auto first = static_cast<uint32_t>(result.witnesses.size());
    for (uint32_t w = evidence.events[i].first_witness; w < evidence.end_of(i); ++w) {
      const ClockWitness& of_rank = evidence.witnesses[w];
      const uint32_t clock = clocks.clock_of_rank[of_rank.rank];
      const Nanoseconds origin = clocks.clocks[clock].origin;
      const auto start = static_cast<double>(of_rank.start - origin), end = static_cast<double>(of_rank.end - origin);
      if (witness_of_clock[clock] == kNoIndex) {
        witness_of_clock[clock] = static_cast<uint32_t>(result.witnesses.size());
        result.witnesses.push_back({clock, start, end, of_rank.proves_start, of_rank.proves_end});
        continue;
      }
      ClockEvents::Witness& known = result.witnesses[witness_of_clock[clock]];
      if (of_rank.proves_start) known.start = known.proves_start ? std::max(known.start, start) : start;
      if (of_rank.proves_end) known.end = known.proves_end ? std::min(known.end, end) : end;
      known.proves_start |= of_rank.proves_start;
      known.proves_end |= of_rank.proves_end;
    }
    const auto count = static_cast<uint32_t>(result.witnesses.size()) - first;
    for (uint32_t w = first; w < result.witnesses.size(); ++w) witness_of_clock[result.witnesses[w].clock] = kNoIndex;
    if (count < 2)
      result.witnesses.resize(first);
    else
      result.events.push_back({evidence.events[i].group, first, count, evidence.events[i].ends});
  }
  return result;
}

}  // namespace tauprof
