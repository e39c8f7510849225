// Who makes a step as long as it is: each step, as the mean over the ranks, divided by rank.
//
// A rank makes its own time, without what waiting costs. What that costs all ranks in a step is charged as blame is in
// that step; what nobody is to blame for, and communication that cannot be split, is nobody's. Waiting costs what
// nothing hides of it, and of the rest what kernels lose beside communication that waits: its kernels occupy the
// device. Example: four ranks compute for 10 ms, rank 2 for 14. Beside collectives that wait for it the others compute
// for 11 ms, and then wait for 3. Of the 14 ms, rank 2 makes (14 + 3 · (1 + 3)) / 4 = 6.5 and each other 2.5.
#pragma once

#include <vector>

#include "metrics/run/step_series.h"
#include "metrics/stragglers/stragglers.h"

namespace tauprof {

// Fills `series.ranks`, in the order of `ranks`, and `series.nobody_ns`. `loss`: of their speed, by kernels beside
// communication that waits.
void add_rank_shares(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                     const StragglerReport& stragglers, double loss, StepSeries& series);

}  // namespace tauprof
