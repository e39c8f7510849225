// Findings about device memory.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

void add_memory_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
