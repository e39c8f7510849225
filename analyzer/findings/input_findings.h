// Findings about how input arrives, and about how steps were found.
#pragma once

#include <vector>

#include "findings/find.h"

namespace tauprof {

void add_input_findings(const RunMetrics& metrics, std::vector<Finding>& found);
void add_step_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
