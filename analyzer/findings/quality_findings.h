// Findings about the records themselves: what is missing, lost or contradictory limits what a report can say.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

void add_quality_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
