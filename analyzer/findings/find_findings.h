// What in a run deserves attention. Reads metrics, never raw spans.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

// What costs time comes first, the costliest before the others; then what limits the report itself, hangs, input and
// steps.
std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics);

}  // namespace tauprof
