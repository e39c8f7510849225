// A process's host side as one sequence: the outermost calls of several threads, by start, as indices into
// ProcessTrace::calls. Threads that only watch are left out (NCCL's watchdog polls events).
#pragma once

#include <cstdint>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// Of all threads that launch work.
std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace);
// Of all threads of which some call is so.
std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace, bool (*counts)(CallClass));

}  // namespace tauprof
