// Findings about how input arrives.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

void add_input_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
