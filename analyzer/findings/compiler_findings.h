// Findings about torch.compile: what it compiled anew, and where it could not go on.
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

// Says of slow steps that PyTorch compiled in them, if it compiled more than once and their hosts were busy; and of
// graphs that break.
void add_compiler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
