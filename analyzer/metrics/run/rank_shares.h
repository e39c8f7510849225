// Who makes a step as long as it is: each step, as the mean over the ranks, divided by rank.
//
// A rank makes its own time, without communication that waits. What ranks wait in a step, and nothing hides, is charged
// as blame is in that step; what nobody is to blame for, and communication that cannot be split, is nobody's. Example:
// four ranks compute for 10 ms, rank 2 for 14, so that the others wait 4 ms each. Of the 14 ms, rank 2 makes
// (14 + 12) / 4 = 6.5 and each other 2.5.
#pragma once

#include <vector>

#include "metrics/run/step_series.h"
#include "metrics/stragglers/stragglers.h"

namespace tauprof {

// Fills `series.ranks`, in the order of `ranks`, and `series.nobody_ns`.
void add_rank_shares(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                     const StragglerReport& stragglers, StepSeries& series);

}  // namespace tauprof
