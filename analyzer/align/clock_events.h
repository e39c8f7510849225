// Clock evidence by clock instead of by rank: among ranks that share a clock, only an event's latest start and earliest
// end say anything about that clock.
#pragma once

#include <vector>

#include "align/clock_evidence.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The clocks of a run, and what was recorded about them.
struct RunClocks {
  struct Clock {
    Nanoseconds origin = 0;  // a time on it; times below count from here, so doubles are exact
    Nanoseconds shift = 0;   // added to get the first clock's time, by the records
    ClockBasis basis = ClockBasis::kShared;
  };
  std::vector<Clock> clocks;            // the first rank's clock comes first
  std::vector<uint32_t> clock_of_rank;  // as the timelines

  // A clock's own time on the first clock, from that clock's origin, if the records are right.
  double recorded_time(uint32_t clock, double time) const {
    const Clock& recorded = clocks[clock];
    return time + static_cast<double>(recorded.origin + recorded.shift - clocks[0].origin);
  }
};

RunClocks find_clocks(const std::vector<RankTimeline>& ranks);

struct ClockEvents {
  struct Witness {
    uint32_t clock = 0;
    double start = 0;  // from the clock's origin
    double end = 0;
    bool proves_start = false;
    bool proves_end = false;
  };
  struct Event {
    uint32_t group = 0;
    uint32_t first_witness = 0;
    uint32_t witness_count = 0;
    Ends ends = Ends::kApart;
  };
  std::vector<Event> events;  // each seen on two clocks or more
  std::vector<Witness> witnesses;
};

// Sets the clocks' origins.
ClockEvents events_by_clock(const ClockEvidence& evidence, RunClocks& clocks);

}  // namespace tauprof
