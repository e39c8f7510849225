// The run with the host's times of steps without device times.
#pragma once

#include <vector>

#include "model/rank_timeline.h"
#include "undisturbed/undisturbed_run.h"

namespace tauprof {

// Whether the recorder left steps of the run without device times.
bool has_light_steps(const RunGraph& run);

// `second_run`: ranks of a run with hooks alone, with operations that know their places, numbered as this run's; empty:
// the run's own light steps count. The schedule is empty where too few full steps have a light one with the same calls.
UndisturbedRun undisturbed_by_light_steps(RunGraph& run, const std::vector<RankTimeline>& second_run);

}  // namespace tauprof
