// Between which lines must each clock run, so that no event contradicts another?
//
// An event proves that each of its ends came no earlier than each of its starts. Example, two clocks; x is what must be
// added to B's times to come to A's:
//
//             A             B
//   event 1   100 .. 160    1120 .. 1158     B started before A ended: 1120 + x <= 160, x <= -960
//                                            A started before B ended: 1158 + x >= 100, x >= -1058
//   event 2   200 .. 220    1190 .. 1225     x <= -970 and x >= -1025
//
// Together -1025 <= x <= -970: x is -997.5, and the true value is no further from it than 27.5. Short events in which
// the clocks' owners take turns at coming last narrow it down.
//
// Clocks also drift. Over a segment of at most a minute x is taken for a straight line whose slope is bounded; the
// lines that satisfy all inequalities are a convex polygon (LineSet), which each inequality cuts. Its extent at both
// ends of the segment is the answer.
//
// Of n members there are n² inequalities; 2n are enough. An event has a hub: the unknown instant at which the last
// start had happened. It lies after all starts and before all ends; so what is known of its time from all members, one
// interval, is all that a member can learn from the others. Cutting with hubs goes on until nothing changes: what B
// learns from A at one event moves the hub of another, at which C learns from B. That is the closure of all
// inequalities along paths of any length, at a cost that grows with members instead of their squares.
//
// Damaged records contradict the others: no line remains. The *margin* of an event is its earliest end less its latest
// start by the first guess; damage makes it small or negative. The events with the smallest margins are dropped, as few
// of them as leave a line for each clock.
#pragma once

#include <vector>

#include "align/clock_events.h"
#include "align/line_set.h"
#include "align/median_fit.h"

namespace tauprof {

// How fast a clock may run against another: crystals are within 100 ppm.
inline constexpr double kMostDrift = 200e-6;

struct ClockClosure {
  double first = 0;  // the segment, in run time
  double last = 0;
  std::vector<LineSet> deviation;  // of each clock: what may be to be added to the guess, over [first, last]
  // How an alternative fits: events in which a clock's line would contradict what its peers allow, and by how much
  // most.
  struct Fit {
    uint32_t events = 0;
    uint32_t contradicted = 0;
    double most = 0;
  };
  std::vector<Fit> alternative;  // of each clock's
  uint64_t dropped = 0;          // events
  // Beyond this no event has limited a deviation.
  static constexpr double kReach = 1e10;
};

// Of the events in `which`, which lie in the segment. `alternatives`: of each clock, another line than the guess, as a
// deviation from it.
ClockClosure close_inequalities(const ClockEvents& events, const std::vector<uint32_t>& which,
                                const std::vector<ClockGuess>& guesses, const std::vector<LineSet::Line>& alternatives,
                                double first, double last);

}  // namespace tauprof
