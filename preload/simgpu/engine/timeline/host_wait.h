// Threads that block until something on a device is over.
//
// A blocked thread sleeps until the earliest moment at which what it waits for can be over, works the timeline off up
// to the present, and sleeps again if that did not do: it never polls, and needs no other thread to wake it. The bound:
// nothing on a stream is faster than its nominal duration, so the operations in between give the least time left.
#pragma once

#include <mutex>

#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

using EngineLock = std::unique_lock<std::mutex>;

// The engine's lock must be held; it is released while the thread sleeps.
void wait_until_over(EngineLock& lock, const OperationRef& operation);

// When the operation can be over at the earliest, by what is known.
Nanoseconds earliest_possible_end(const Operation& operation, Nanoseconds now);

}  // namespace simgpu
