// The place in the program to which most of a ledger row's idle time is charged, over some ranks and steps; or where
// the hosts spent most of what the row stands for.
//
// It is looked for from the outside in: as long as one range inside a place has at least half of that place's time, it
// is the answer instead; then, likewise, one gap between two operators in it. Outermost, a tenth of the row is enough.
// Example: 60 of 100 ms in forward, 55 of them in its sparse part, 20 of those after `view` and before `all_to_all`,
// the others in many gaps: "forward > sparse part".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct CostliestPlace {
  std::string where;        // "forward > sparse part, after aten::view, before all_to_all"; empty: none has a tenth
  Nanoseconds charged = 0;  // of the row
};

// `ranks`, `numbers`: of ranks and steps, sorted; empty: all. `row_time`: the row's time there; 0: the sum of all
// places.
CostliestPlace costliest_place(const std::vector<const RankTimeline*>& timelines, const StepSelection& steps,
                               const std::vector<int32_t>& ranks, const std::vector<int64_t>& numbers, LedgerRow row,
                               Nanoseconds row_time, LedgerRows PlaceTotal::*times = &PlaceTotal::charged);

}  // namespace tauprof
