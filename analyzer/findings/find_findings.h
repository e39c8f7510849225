// Finds the problems of a run. Reads metrics, never raw spans.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

// Findings that cost time come first, the costliest at the top; then limits of the report itself, input and steps.
std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics);

// Whatever else was slow, it does not go on.
void put_hangs_first(std::vector<Finding>& findings);

}  // namespace tauprof
