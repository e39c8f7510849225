// A process's host side as one sequence: the outermost calls of all threads that launch work, by start, as indices into
// ProcessTrace::calls. Threads that only watch are left out (NCCL's watchdog polls events).
#pragma once

#include <cstdint>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace);

}  // namespace tauprof
