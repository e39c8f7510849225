// Threads that block until something on a device is over.
//
// A blocked thread sleeps until the earliest moment at which the operation can be over, advances the timeline to the
// present, and sleeps again if the operation is not over yet. It needs no other thread to wake it, and polls only with
// the option spin_waits. The bound: no operation on a stream is faster than its nominal duration, so the operations in
// between give the least time that is left.
#pragma once

#include <mutex>

#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

// No thread wakes sooner than this: one wake-up for each of thousands of tiny kernels would cost more than it is worth.
constexpr Nanoseconds kShortestSleep = 20'000;

using EngineLock = std::unique_lock<std::mutex>;

// Needs the engine's lock, which is released while the thread sleeps.
void wait_until_over(EngineLock& lock, const OperationRef& operation);

// The earliest time at which the operation can be over, by what is known now.
Nanoseconds earliest_possible_end(const Operation& operation, Nanoseconds now);

}  // namespace simgpu
