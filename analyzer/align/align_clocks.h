// Brings the ranks' clocks onto that of the first rank, with a bound that is guaranteed by what the collectives prove.
//
// Logs of one host and boot that count on its monotonic clock share that clock; all others have one of
// their own. What was recorded about a clock (the wall clock beside it; in traces that all lack one,
// nothing: they may well count on one clock) is used where no collective contradicts it. Otherwise the
// clock is estimated, in segments of at most a minute: a guess by medians (median_fit.h) says which
// events belong together and how far clocks are apart, roughly; the closure of all inequalities
// (clock_closure.h) says between which lines the truth lies. The guess is used where it lies there: ends
// are nearly simultaneous, while the middle of the limits need not be likely (of a rank that always comes
// last they lie to one side). The line half-way between the limits, and how far the truth can be from
// it, are kept beside it.
//
// Ranks that share a clock differ by what their devices' times are off (device_offsets.h), which is moved last.
//
// Communicators whose collectives do not end together even then prove nothing: their ranks are not one
// group.
#pragma once

#include "align/clock_evidence.h"
#include "align/device_offsets.h"
#include "model/rank_timeline.h"

namespace tauprof {

// A clock is taken for steady over this time.
inline constexpr Nanoseconds kLongestSegment = 60'000'000'000;

struct ClockAlignment {
  uint64_t events = 0;                // seen on two clocks or more
  uint64_t dropped = 0;               // those that contradict the others
  std::vector<DeviceOffset> devices;  // as the timelines; part of run_clock
};

// Fills run_clock and clock_basis of every rank.
ClockAlignment align_clocks(std::vector<RankTimeline>& ranks, const ClockEvidence& evidence);

// The same from what was recorded alone, before collectives are known.
void place_clocks_as_recorded(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
