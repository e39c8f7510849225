// Findings about copies of input: from pageable memory, awaited by the host, or in line with what computes.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

void add_copy_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
