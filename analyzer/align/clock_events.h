// Clock evidence by clocks instead of ranks: of the ranks that share a clock only the latest start and the earliest end
// of an event say anything about it.
#pragma once

#include <vector>

#include "align/clock_evidence.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The clocks of a run and what was recorded about them.
struct RunClocks {
  struct Clock {
    Nanoseconds origin = 0;  // a time on it; times below count from here, so that they are exact as doubles
    Nanoseconds shift = 0;   // what the records say is to be added to come to the first clock
    ClockBasis basis = ClockBasis::kShared;
  };
  std::vector<Clock> clocks;            // the first rank's first
  std::vector<uint32_t> clock_of_rank;  // as the timelines

  // A clock's own time, counted from the origin of the first, if the records are right.
  double recorded_place(uint32_t clock, double time) const {
    const Clock& own = clocks[clock];
    return time + static_cast<double>(own.origin + own.shift - clocks[0].origin);
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
    bool is_all_pairs = false;
  };
  std::vector<Event> events;  // each seen on two clocks or more
  std::vector<Witness> witnesses;
};

// Sets the clocks' origins.
ClockEvents events_by_clock(const ClockEvidence& evidence, RunClocks& clocks);

}  // namespace tauprof
