// One log file into one ProcessTrace: rows become calls, ranges, spans and collectives; threads,
// devices and streams get small numbers; every span is joined to the call that launched it.
#pragma once

#include <string>

#include "model/process_trace.h"
#include "model/status.h"

namespace tauprof {

// Damage inside the file is counted in trace.quality; only a file of which nothing can be read fails.
Status load_process(const std::string& path, ProcessTrace& trace);

}  // namespace tauprof
