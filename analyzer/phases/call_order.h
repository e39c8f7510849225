// The outermost calls of all threads that launch work, as indices into ProcessTrace::calls, by start:
// the process's host side as one sequence. Threads that only watch (NCCL's watchdog polls events) do
// not belong to it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace);

}  // namespace tauprof
