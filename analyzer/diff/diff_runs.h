// Compares two groups of analysed runs.
#pragma once

#include <vector>

#include "diff/diff.h"
#include "model/status.h"

namespace tauprof {

// Why a run cannot be compared, or success.
Status can_be_compared(const AnalyzedRun& run);

// Neither side is empty, and each run can be compared.
Diff diff_runs(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
