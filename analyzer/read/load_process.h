// Reads one log file into a ProcessTrace. Rows become calls, ranges, spans and collectives; threads, devices and
// streams get small numbers; every span is joined to the call that launched it.
#pragma once

#include <string>

#include "model/process_trace.h"
#include "model/status.h"

namespace tauprof {

// Fails only if nothing can be read. Damage inside the file is counted in trace.quality.
Status load_process(const std::string& path, ProcessTrace& trace);

}  // namespace tauprof
