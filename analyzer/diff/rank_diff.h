// Which ranks make the step longer or shorter.
//
// What each rank makes of the step is compared between the sides. A difference is a rank's own if it goes beyond the
// typical other rank's: what all ranks lose alike is no rank's. Example: of +18 ms, rank 2 of four makes +17.1 and each
// other +0.3, so rank 2 explains 95 %. If each made +4.5, none would be named.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

// Fills `diff.ranks`. `diff.step` must be known.
void compare_ranks(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b, Diff& diff);

}  // namespace tauprof
