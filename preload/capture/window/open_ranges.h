// NVTX ranges that are open: a stack per thread for push and pop, a table per process for start and end.
#pragma once

#include <stdint.h>

#include "capture/rings/thread_state.h"

namespace tauprof::capture {

// Names and domains are numbers in text_table. Ranges are followed even while they are not recorded, so that the end of
// a range that started outside the window does not end another one.
int push_range(ThreadState& thread, uint32_t domain, uint32_t name);  // the depth before it
int pop_range(ThreadState& thread, uint32_t domain);                  // the depth after it; -1: none was open
uint64_t start_range(ThreadState& thread, uint32_t domain, uint32_t name);
void end_range(ThreadState& thread, uint64_t id);
void mark_instant(ThreadState& thread, uint32_t domain, uint32_t name);

}  // namespace tauprof::capture
