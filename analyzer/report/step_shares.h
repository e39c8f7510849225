// Where the step goes, as the first screen says it: the rows of the ledger by their shares of all ranks' time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/run/run_metrics.h"

namespace tauprof {

struct StepShare {
  double share = 0;
  std::string label;             // "waiting for rank 2"
  std::optional<LedgerRow> row;  // none: the small ones together
};

// The largest first, the small ones last; empty without device times.
std::vector<StepShare> step_shares(const RunMetrics& metrics);

}  // namespace tauprof
