// The steps of a process on its host clock, and the step of every call.
//
// In this order: the marker that the user chose (chosen_marker.h); the program's own (step_markers.h); what the
// launches tell (step_search.h); otherwise slices of time stand in the place of steps (time_slices.h). A call belongs
// to the step in whose host window it starts, on whichever thread.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills trace.steps, how they were found, and HostCall::step (an index into trace.steps).
void find_host_steps(ProcessTrace& trace);

}  // namespace tauprof
