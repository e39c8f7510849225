// Makes the sequence of launches, in which steps are searched, from a log.
#pragma once

#include "model/process_trace.h"
#include "steps/launch_sequence.h"

namespace tauprof {

LaunchSequence launch_sequence(const ProcessTrace& trace);

}  // namespace tauprof
