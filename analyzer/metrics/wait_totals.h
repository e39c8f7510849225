// How much communication waited, moved data and was hidden, summed by communicator, phase and rank.
//
// A unit counts whole if it begins in an analysed window of its rank. Its span is its wait and its transfer, or is
// unsplit where these cannot be told apart; so in every row wait + transfer + unsplit is exactly the span, and
// communicators, phases and ranks each sum to the total. Example, one rank: a unit from 0 to 100 that could move from
// 70 on, while the device computes until 40: span 100, wait 70, transfer 30, exposed 60, of which waiting 30.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/collective_match.h"
#include "metrics/step_selection.h"
#include "model/phase.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct WaitTotals {
  uint64_t count = 0;  // units
  Nanoseconds span = 0;
  Nanoseconds wait = 0;
  Nanoseconds transfer = 0;
  Nanoseconds unsplit = 0;
  Nanoseconds exposed = 0;       // while nothing computed
  Nanoseconds exposed_wait = 0;  // of that, waiting
  bool is_upper_bound = false;   // some waits may be shorter
  Nanoseconds uncertainty = 0;   // of the clocks behind the waits, summed

  void add(const RankCollective& unit, Nanoseconds unit_exposed_wait, Nanoseconds clock_uncertainty);
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

// Of each of the rank's units: how long it waited while nothing computed.
std::vector<Nanoseconds> exposed_waits(const RankTimeline& rank);

}  // namespace tauprof
