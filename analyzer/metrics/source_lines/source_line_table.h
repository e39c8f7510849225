// Source lines over all ranks: where slow calls and pauses were, and what the ledger charges to them.
#pragma once

#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct SourceLineMetrics {
  std::string where;  // "file:line function"
  std::string call;   // the runtime's function; empty: between calls
  uint64_t count = 0;
  Nanoseconds total = 0;
  LedgerRows charged{};        // device time, by row of the ledger
  std::vector<int32_t> ranks;  // those that were seen there
};

// Over the analysed steps, the longest first.
std::vector<SourceLineMetrics> source_line_table(const std::vector<const RankTimeline*>& ranks,
                                                 const StepSelection& steps);

// The line to which most of a rank's row is charged in its analysed steps; empty: none.
std::string costliest_line(const RankTimeline& rank, const StepSelection& steps, LedgerRow row);

}  // namespace tauprof
