// A first guess at how clocks relate. Members of a collective end it together, so the differences of their ends are
// roughly the differences of their clocks. Medians keep damaged records from spoiling the guess.
//
// The guess starts at the first clock and spreads to clocks that share an event with a known one. Every event that
// joins a new clock to a known one gives a sample: the new clock's time, and how far it is behind the known clock. If
// events with a common end are among them, only these count, and else messages, whose two sides may end far apart. Ends
// of an all-to-all of unequal parts come last: they say where its parts are large, so such a guess is rough. The drift
// is the median slope between samples half of the list apart; the offset is the median of what then remains. Clocks
// that no event joins to the first one form a part of their own, which starts at what the records say.
#pragma once

#include <vector>

#include "align/clock_events.h"

namespace tauprof {

// run time = time + shift + drift * (time - pivot), all from the clocks' origins.
struct ClockGuess {
  double shift = 0;
  double drift = 0;
  double pivot = 0;
  uint32_t part = 0;          // the clock that its part started with
  bool is_reference = false;  // this is that clock
  bool is_by_ends = false;    // from common ends
  bool is_rough = false;      // from ends of unequal parts

  double on_run(double time) const { return time + shift + drift * (time - pivot); }
  double local(double run_time) const { return pivot + (run_time - shift - pivot) / (1 + drift); }
};

// Uses the events listed in `which`. `most_drift`: the limit for a clock against another.
std::vector<ClockGuess> guess_by_medians(const RunClocks& clocks, const ClockEvents& events,
                                         const std::vector<uint32_t>& which, double most_drift);

}  // namespace tauprof
