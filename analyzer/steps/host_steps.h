// The steps of a process on its host clock, and the step of every call.
//
// In this order: explicit markers; the optimizer's kernels (a step ends with the last launch of an
// optimizer burst); otherwise the whole recording counts as one step. A call belongs to the step in
// whose host window it starts, on whichever thread.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills trace.steps, trace.steps_source and HostCall::step (an index into trace.steps).
void find_host_steps(ProcessTrace& trace);

}  // namespace tauprof
