// NVTX ranges that have begun and not ended: a stack a thread for push and pop, a table of the process
// for start and end.
#pragma once

#include <stdint.h>

#include "capture/rings/thread_state.h"

namespace tauprof::capture {

// Names and domains are numbers of text_table. All do nothing while ranges are not recorded, except
// that the stacks are kept, so that a range begun outside of the window ends no other one.
int push_range(ThreadState& thread, uint32_t domain, uint32_t name);  // the depth before it
int pop_range(ThreadState& thread, uint32_t domain);                  // the depth after it; -1: none was open
uint64_t start_range(ThreadState& thread, uint32_t domain, uint32_t name);
void end_range(ThreadState& thread, uint64_t id);
void mark_instant(ThreadState& thread, uint32_t domain, uint32_t name);

}  // namespace tauprof::capture
