#include "align/clock_shift.h"

#include <algorithm>

namespace tauprof {
namespace {

bool share_a_clock(const RankTimeline& a, const RankTimeline& b) {
  const bool same_kind = a.clock == b.clock && (a.clock == log::Clock::kMonotonic || a.clock == log::Clock::kVirtual);
  const bool has_boot = std::any_of(a.boot_id.begin(), a.boot_id.end(), [](uint8_t byte) { return byte != 0; });
  return same_kind && has_boot && a.boot_id == b.boot_id;
}

}  // namespace

void shift_clocks(std::vector<RankTimeline>& ranks) {
  if (ranks.empty()) return;
  const RankTimeline& first = ranks.front();
  for (RankTimeline& rank : ranks) {
    rank.clock_shift = 0;
    rank.is_clock_placed = share_a_clock(first, rank) || first.has_realtime == rank.has_realtime;
    if (share_a_clock(first, rank) || !first.has_realtime || !rank.has_realtime) continue;
    rank.clock_shift = rank.realtime_offset_ns - first.realtime_offset_ns;
  }
}

}  // namespace tauprof
