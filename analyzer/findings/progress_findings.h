// Findings about jobs that hang and about ranks that did not call the same collectives.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

void add_progress_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
