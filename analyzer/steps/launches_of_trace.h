// The sequence of launches in which steps are searched, of a log that has been read.
#pragma once

#include "model/process_trace.h"
#include "step_search/launch_sequence.h"

namespace tauprof {

LaunchSequence launch_sequence(const ProcessTrace& trace);

}  // namespace tauprof
