// Ranges that are open: a stack per thread for push and pop, a table per process for start and end.
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

// Marks of a framework about itself (framework/torch_marks.h). `object`: which optimizer; of a forward pass, whether
// gradients are on.
inline constexpr uint32_t kWithGradients = 1, kWithoutGradients = 2;
void push_mark(ThreadState& thread, uint32_t name, uint32_t object);
void pop_mark(ThreadState& thread);
void drop_marks(ThreadState& thread);  // all that are open; none is recorded
void mark_of_framework(ThreadState& thread, uint32_t name, uint32_t object);
// The thread is in step `number`, as the framework counts: becomes a seen_step row.
void mark_step(ThreadState& thread, uint64_t number);
// A graph that holds an update of the optimizer has been launched: a pass and an update in one.
void end_captured_update(ThreadState& thread, uint32_t optimizer);
// A framework's annotations: the user's own words, as in an NVTX range.
void push_annotation(ThreadState& thread, uint32_t name);
void pop_annotation(ThreadState& thread);

}  // namespace tauprof::capture
