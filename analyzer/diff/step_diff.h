// The step of both sides, and its parts.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

// Fills `diff.step`, and where all runs have device times `diff.rows` and `diff.phase_parts`.
void compare_steps(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b, Diff& diff);
std::vector<PhaseDiff> compare_phases(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
