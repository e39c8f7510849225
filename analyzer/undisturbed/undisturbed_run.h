// The run as it would be without the recorder.
//
// Host times are true where no device times are taken, and device times where they are. So the host's operations get
// their times from light steps, or a common factor that gives a known step; the device's keep theirs, and the replay
// puts them together: waits are computed anew. A light step's work is taken whole, in turns over the full steps, since
// medians of single calls miss the mean of steps. What the source of device times adds between pieces of device work is
// one constant, fitted so that one half of the light steps is predicted; how far the other half then is off is the
// error of the prediction. docs/metrics.md, "The undisturbed run".
#pragma once

#include <vector>

#include "model/disturbance.h"
#include "model/rank_timeline.h"
#include "replay/run_graph.h"

namespace tauprof {

struct UndisturbedRun {
  Disturbance disturbance;
  Schedule<Nanoseconds> schedule;  // of the run's operations; empty: as recorded
};

// The run with a host that is faster by one factor, so that its steps take what the user knows them to take.
// `step_ns`: the mean of the analysed steps. The schedule is empty where no factor from 0.3 to 1 gives that.
UndisturbedRun undisturbed_by_step_time(RunGraph& run, double step_ns);

// The run with the host's times of steps without device times.

// Whether the recorder left steps of the run without device times.
bool has_light_steps(const RunGraph& run);

// `second_run`: ranks of a run with hooks alone, with operations that know their places, numbered as this run's; empty:
// the run's own light steps count. The schedule is empty where too few full steps have a light one with the same calls.
UndisturbedRun undisturbed_by_light_steps(RunGraph& run, const std::vector<RankTimeline>& second_run);

}  // namespace tauprof
