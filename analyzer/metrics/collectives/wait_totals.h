// How long communication waited, moved data and was exposed, summed by communicator, phase and rank.
//
// A unit counts whole if it starts in an analysed window of its rank. Its span is its wait plus its transfer, or is
// unsplit where the two cannot be told apart. So wait + transfer + unsplit is exactly the span in every row, and
// communicators, phases and ranks each sum to the total. Example: a unit runs from 0 to 100 and can move data from 70
// on, while the device computes until 40. Its span is 100, its wait 70, its transfer 30; 60 are exposed, 30 of them
// waiting.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "model/phase.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct WaitTotals {
  uint64_t count = 0;    // units
  uint64_t untimed = 0;  // of these, how many have no device times; the sums cover the others
  Nanoseconds span = 0;
  Nanoseconds wait = 0;
  Nanoseconds transfer = 0;
  Nanoseconds unsplit = 0;
  Nanoseconds exposed = 0;       // while nothing computed
  Nanoseconds exposed_wait = 0;  // of that, waiting
  bool is_upper_bound = false;   // some waits may be shorter
  Nanoseconds uncertainty = 0;   // sum of how far clocks may put each wait wrong (clock_doubts.h)

  void add(const RankCollective& unit, Nanoseconds clock_uncertainty);
  bool is_timed() const { return count > untimed; }
  bool is_within_clock_bound() const { return wait > 0 && wait < uncertainty; }
};

struct WaitTable {
  WaitTotals total;
  std::vector<std::pair<std::string, WaitTotals>> by_communicator;  // the longest span first
  PerPhase<WaitTotals> by_phase{};
  std::vector<std::pair<int32_t, WaitTotals>> by_rank;  // as the timelines
};

WaitTable wait_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps);

}  // namespace tauprof
