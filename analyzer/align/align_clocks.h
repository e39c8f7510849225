// Brings the ranks' clocks onto the first rank's clock, with a bound that follows from what the collectives prove.
//
// Logs of one host and boot, both recorded, that use its monotonic clock share that clock, whatever ends say; every
// other log has a clock of its own.
// First the ranks that share a clock are corrected by the errors of their devices' times (device_offsets.h). What was
// recorded about a clock is used unless collectives contradict it: the wall clock beside it, or, if no trace has a wall
// clock, that they may well share one. They do so with an end before a start, or with ends that are not common
// (simultaneous_ends.h). Then the clock is estimated, in segments of at most a minute:
//   1. A guess by medians (median_fit.h) tells which events belong together and roughly how far clocks are apart.
//   2. The closure of all inequalities (clock_closure.h) gives the lines between which the truth lies.
// The guess is used if it lies within these limits, and else what is nearest to it there. It is the likelier value,
// since ends are nearly simultaneous, while the limits of a rank that always arrives last lie to one side. The line
// half-way between the limits, and how far the truth can be from it, are kept as well.
//
// Communicators whose collectives do not end together even then prove nothing: their ranks are not one group.
#pragma once

#include "align/clock_evidence.h"
#include "align/device_offsets.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct ClockAlignment {
  uint64_t events = 0;                // collectives and messages seen on two clocks or more
  uint64_t dropped = 0;               // those of them that contradict the others
  std::vector<DeviceOffset> devices;  // as the timelines; part of run_clock
};

// Fills run_clock and clock_basis of every rank.
ClockAlignment align_clocks(std::vector<RankTimeline>& ranks, ClockEvidence evidence);

// Fills the same from what was recorded about clocks, before collectives are known.
void use_recorded_clocks(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
