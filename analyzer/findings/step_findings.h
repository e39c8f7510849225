// Findings about how steps were found.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

void add_step_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
