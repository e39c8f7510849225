// Whether ends of collectives contradict what was recorded about clocks.
//
// Members of an all-pairs collective that all send and receive the same end it together, so a right clock puts its own
// ends where the others' are: by chance a little earlier or later. A clock is contradicted if, in the earlier or in the
// later half of its events, its ends are off by more than ends are by themselves (kEndsApart, the median), and three
// quarters of them in the same direction. Halves, because a clock that drifts may be right in the middle.
#pragma once

#include <vector>

#include "align/clock_events.h"
#include "align/median_fit.h"

namespace tauprof {

// By clock. Uses the events listed in `which`; `guesses` says where the others' ends are.
std::vector<bool> contradicted_by_ends(const RunClocks& clocks, const ClockEvents& events,
                                       const std::vector<uint32_t>& which, const std::vector<ClockGuess>& guesses);

}  // namespace tauprof
