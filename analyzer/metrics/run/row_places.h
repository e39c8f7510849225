// Where the time of a ledger row lies. A row that nearly belongs to one rank, or to one step of three, is a claim about
// that rank and those steps, and not about the mean of all.
//
// Ranks are named if at most half of them have kConcentrated of the row's time; with those of kAsMuch of the least of
// them. Then steps, likewise, if at most a third of the steps have as much of the time on those ranks. Example: four
// ranks, nine steps, 20 ms in each step of rank 2 and microseconds elsewhere: rank 2, all steps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/ledger.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct RowPlace {
  std::vector<int32_t> ranks;    // empty: all
  std::vector<int64_t> steps;    // empty: all
  Nanoseconds time = 0;          // of the row on these ranks in these steps
  Nanoseconds of_all_steps = 0;  // of these ranks, in all steps
  Nanoseconds of_steps = 0;      // of these ranks in these steps
  size_t windows = 0;            // of these ranks, in all steps
  size_t windows_of_steps = 0;   // of these ranks in these steps
};

std::array<RowPlace, kLedgerRowCount> row_places(const std::vector<const RankTimeline*>& ranks,
                                                 const StepSelection& steps);

}  // namespace tauprof
