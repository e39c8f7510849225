// Lines of code over all ranks: where slow calls and pauses were, and what the ledger charges to them.
#pragma once

#include <string>
#include <vector>

#include "metrics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PlaceMetrics {
  std::string where;  // "file:line function"
  std::string call;   // the runtime's function; empty: between calls
  uint64_t count = 0;
  Nanoseconds total = 0;
  LedgerRows charged{};        // device time, by row of the ledger
  std::vector<int32_t> ranks;  // on which it was seen
};

// Of the analysed steps, the longest first.
std::vector<PlaceMetrics> place_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
