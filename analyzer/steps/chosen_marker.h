// Steps as the user chose to mark them with TAUPROF_STEP_MARKER.
//
// With nvtx:GLOB and call:FUNCTION the recorder left a mark in the log for each range or call. kernel:GLOB marks each
// launch of a kernel with a matching name. A step lasts from one mark to the next, on any thread. The last step lasts
// to the end of the range that marks it, or of the recording. Work before the first mark belongs to no step. Example:
// ranges "iteration" at [10, 20] and [30, 40], marked by nvtx:iter*: steps [10, 30] and [30, 40].
#pragma once

#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// The variable's recorded value; empty: it was not set.
std::string_view chosen_marker(const ProcessTrace& trace);

std::vector<HostStep> find_chosen_steps(const ProcessTrace& trace);

}  // namespace tauprof
