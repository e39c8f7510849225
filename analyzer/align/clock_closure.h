// Between which lines must each clock run, so that no event contradicts another?
//
// An event proves that none of its ends came before any of its starts. Example, two clocks; x is what must be added to
// B's times to get A's:
//
//             A             B
//   event 1   100 .. 160    1120 .. 1158     B started before A ended: 1120 + x <= 160, x <= -960
//                                            A started before B ended: 1158 + x >= 100, x >= -1058
//   event 2   200 .. 220    1190 .. 1225     x <= -970 and x >= -1025
//
// Together -1025 <= x <= -970: x is -997.5, and the true value is at most 27.5 away. Short events in which sometimes
// the one and sometimes the other clock's owner arrives last narrow this down.
//
// Clocks also drift. Over a segment of at most a minute, x is assumed to be a straight line with a bounded slope. The
// lines that satisfy all inequalities form a convex polygon (LineSet), and each inequality cuts off a part of it. The
// polygon's extent at both ends of the segment is the answer.
//
// n members have n² inequalities, but 2n are enough. An event has a *hub*: the unknown instant at which the last start
// had happened. It lies after all starts and before all ends. What all members together know about the hub is one
// interval, and that is all that a member can learn from the others. Cutting with hubs goes on until nothing changes:
// what B learns from A at one event moves the hub of another event, at which C learns from B. The result is the closure
// of all inequalities along paths of any length, at a cost that grows with the number of members, not its square.
//
// Damaged records contradict the others, so no line remains. The *margin* of an event is its earliest end minus its
// latest start by the first guess; damage makes it small or negative. The events with the smallest margins are dropped,
// as few as leave a line for each clock.
#pragma once

#include <vector>

#include "align/clock_events.h"
#include "align/line_set.h"
#include "align/median_fit.h"

namespace tauprof {

struct ClockClosure {
  double first = 0;  // the segment, in run time
  double last = 0;
  std::vector<LineSet> deviation;  // by clock: what may have to be added to the guess, over [first, last]
  // How well an alternative fits: in how many events the clock's line would contradict what its peers allow, and the
  // most by which it does.
  struct Fit {
    uint32_t events = 0;
    uint32_t contradicted = 0;
    double most = 0;
  };
  std::vector<Fit> alternative;  // by clock
  uint64_t dropped = 0;          // events
  // A deviation beyond this is not limited by any event.
  static constexpr double kReach = 1e10;
};

// Uses the events in `which`, which lie in the segment. `alternatives`: for each clock another line to try, as a
// deviation from the guess.
ClockClosure close_inequalities(const ClockEvents& events, const std::vector<uint32_t>& which,
                                const std::vector<ClockGuess>& guesses, const std::vector<LineSet::Line>& alternatives,
                                double first, double last);

}  // namespace tauprof
