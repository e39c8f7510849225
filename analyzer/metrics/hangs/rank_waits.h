// How long ranks have given no sign of life, and how long they have waited.
//
// A rank waits in an operation from when its host has called it and its device has nothing else to do, until its log
// ends in order, until its last sign of life if it is silent, and else until now. Example, in seconds, now being 100:
//
//   host called 90, device worked until 97                     it has waited 3: its host ran ahead
//   host called 90, device worked until 91, last sign 92       it waited 1, and is silent
#pragma once

#include <algorithm>

#include "limits/analysis_limits.h"
#include "model/rank_timeline.h"

namespace tauprof {

// Times are on the run's clock; `now` is the last sign of life of any rank.

inline Nanoseconds silent_for(const RankTimeline& rank, Nanoseconds now) {
  return now - rank.run_clock.to_run(rank.progress.last_sign);
}

inline bool is_silent(const RankTimeline& rank, Nanoseconds now) {
  return !rank.progress.is_closed && silent_for(rank, now) > kSilence;
}

// In an operation that the rank called at `called`.
inline Nanoseconds waited_since(Nanoseconds called, const RankTimeline& rank, Nanoseconds now) {
  const bool is_over = rank.progress.is_closed || is_silent(rank, now);
  const Nanoseconds until = is_over ? rank.run_clock.to_run(rank.progress.last_sign) : now;
  const Nanoseconds worked_until =
      rank.progress.device_until == INT64_MIN ? INT64_MIN : rank.run_clock.to_run(rank.progress.device_until);
  return std::max<Nanoseconds>(0, until - std::max(called, worked_until));
}

}  // namespace tauprof
