// Steps as the user chose to mark them: TAUPROF_STEP_MARKER.
//
// nvtx:GLOB and call:FUNCTION have left a mark in the log for each range or call; kernel:GLOB marks the launch of every
// kernel whose name it matches. A step lasts from one mark to the next, on whichever thread; the last one to the end of
// the range that marks it, or of the recording. What lies before the first mark belongs to no step.
// Example: ranges "iteration" at [10, 20] and [30, 40], marked by nvtx:iter*: steps [10, 30] and [30, 40].
#pragma once

#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// The variable's value as it was recorded; empty: not set.
std::string_view chosen_marker(const ProcessTrace& trace);

std::vector<HostStep> find_chosen_steps(const ProcessTrace& trace);

}  // namespace tauprof
