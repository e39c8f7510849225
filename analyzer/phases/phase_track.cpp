#include "phases/phase_track.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

PhaseTrack::PhaseTrack(const HostRange* begin, const HostRange* end, RangePhases& phases) {
  struct Open {
    Nanoseconds end;
    Phase phase;
  };
  std::vector<Open> open;
  const auto close_until = [&](Nanoseconds time) {
    while (!open.empty() && open.back().end <= time) {
      const Nanoseconds ended = open.back().end;
      open.pop_back();
      changes_.push_back({ended, open.empty() ? std::nullopt : std::optional(open.back().phase)});
    }
  };
  for (const HostRange* range = begin; range != end; ++range) {
    const std::optional<Phase> phase = phases.of(*range);
    if (!phase || range->is_mark || range->end <= range->start) continue;
    close_until(range->start);
    // Rounding may make a range overlap its successor.
    if (!open.empty() && open.back().end <= range->start + kRoundedTime && open.back().end < range->end)
      open.back().end = range->start;
    close_until(range->start);
    // Ranges that overlap without nesting (start/end ranges) end where the outer one ends.
    const Nanoseconds limit = open.empty() ? range->end : std::min(range->end, open.back().end);
    const bool is_recomputed = !open.empty() && open.back().phase == Phase::kBackward && *phase == Phase::kForward;
    open.push_back({limit, is_recomputed ? Phase::kBackward : *phase});
    changes_.push_back({range->start, open.back().phase});
  }
  while (!open.empty()) close_until(open.back().end);
}

bool PhaseTrack::has(Phase phase) const {
  return std::any_of(changes_.begin(), changes_.end(), [&](const Change& change) { return change.phase == phase; });
}

std::optional<Phase> PhaseTrack::Cursor::at(Nanoseconds time) {
  const auto& changes = track_->changes();
  while (next_ < changes.size() && changes[next_].time <= time) ++next_;
  return next_ == 0 ? std::nullopt : changes[next_ - 1].phase;
}

}  // namespace tauprof
