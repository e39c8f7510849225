// The run with a host that is faster by one factor, so that its steps take what the user knows them to take.
#pragma once

#include "undisturbed/undisturbed_run.h"

namespace tauprof {

// `step_ns`: the mean of the analysed steps. The schedule is empty where no factor from 0.3 to 1 gives that.
UndisturbedRun undisturbed_by_step_time(RunGraph& run, double step_ns);

}  // namespace tauprof
