// Findings about rows of the time ledger that take too large a share of the step.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

void add_ledger_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
