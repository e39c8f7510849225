// A first guess at how clocks relate: the members of a collective end it together, so the differences of their ends are
// the differences of their clocks, give or take. Medians keep that safe from damaged records.
//
// The guess starts at the first clock, goes on to those that meet it in some event, and from these to others. Of each
// new clock the samples (its time, how far behind the known clock it is) of all events that join it to a known one give
// a drift, the median slope between samples half of the list apart, and an offset, the median of what is left. Clocks
// that no event joins to the first one begin a part of their own, at what the records say.
#pragma once

#include <vector>

#include "align/clock_events.h"

namespace tauprof {

// run time = time + shift + drift * (time - pivot), all from the clocks' origins.
struct ClockGuess {
  double shift = 0;
  double drift = 0;
  double pivot = 0;
  uint32_t part = 0;          // the clock that its part began with
  bool is_reference = false;  // this is that clock

  double place(double time) const { return time + shift + drift * (time - pivot); }
  double local(double placed) const { return pivot + (placed - shift - pivot) / (1 + drift); }
};

// Looks at the events listed in `which`. `most_drift`: of a clock against another.
std::vector<ClockGuess> guess_by_medians(const RunClocks& clocks, const ClockEvents& events,
                                         const std::vector<uint32_t>& which, double most_drift);

}  // namespace tauprof
