// The steps of a process on its host clock, and the step of every call.
//
// The first source with steps wins: the marker that the user chose, what PyTorch says of itself, the program's own
// markers (step_markers.h), updates that are known by name; without any, slices of time stand in for steps
// (step_sources.h). Of these, the wanted ones (window_steps.h). A call on any thread belongs to the step in whose host
// window it starts.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills trace.steps, how they were found, and HostCall::step (an index into trace.steps).
void find_host_steps(ProcessTrace& trace);

}  // namespace tauprof
