// Advice by the names of PyTorch's options, where PyTorch said what it was asked (docs/metrics.md, `settings`).
#pragma once

#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

// Puts the options that a finding is about before its general advice.
void advise_by_options(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
