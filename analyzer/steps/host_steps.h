// The steps of a process on its host clock, and the step of every call.
//
// The first source with steps wins: the marker that the user chose (chosen_marker.h), what PyTorch says of itself
// (marked_steps.h), the program's own markers (step_markers.h), the search in what was launched (step_search.h). If the
// log has a window of wanted steps, the steps that the recorder found during the run may replace the search's
// (steps_in_window in window_steps.h). Without any, slices of time stand in for steps (time_slices.h). A call on any
// thread belongs to the step in whose host window it starts.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills trace.steps, how they were found, and HostCall::step (an index into trace.steps).
void find_host_steps(ProcessTrace& trace);

}  // namespace tauprof
