// The run as it would be without the recorder.
//
// Host times are true where no device times are taken, and device times where they are. So the host's operations get
// their times from light steps (light_steps.h), or a common factor that gives a known step (known_step.h); the device's
// keep theirs, and the replay puts them together: waits are computed anew. A light step's work is taken whole, in turns
// over the full steps, since medians of single calls miss the mean of steps. What the source of device times adds
// between pieces of device work is one constant, fitted so that one half of the light steps is predicted; how far the
// other half then is off is the error of the prediction. docs/metrics.md, "The undisturbed run".
#pragma once

#include "model/disturbance.h"
#include "replay/run_graph.h"

namespace tauprof {

struct UndisturbedRun {
  Disturbance disturbance;
  Schedule<Nanoseconds> schedule;  // of the run's operations; empty: as recorded
};

}  // namespace tauprof
