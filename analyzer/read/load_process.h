// Reads one log file into a ProcessTrace. Rows become calls, ranges, spans and collectives; threads, devices and
// streams get small numbers; every span is joined to the call that launched it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "model/process_trace.h"
#include "model/status.h"

namespace tauprof {

struct LoadOptions {
  bool keeps_order = false;                     // fills call_order, range_order and span_order
  std::atomic<uint64_t>* read_bytes = nullptr;  // grows while the file is read
};

// Fails only if nothing can be read. Damage inside the file is counted in trace.quality.
Status load_process(const std::string& path, ProcessTrace& trace, const LoadOptions& options = {});

}  // namespace tauprof
