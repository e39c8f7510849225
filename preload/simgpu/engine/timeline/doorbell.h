// A word in shared memory that other processes ring; operation.h says who rings and why.
#pragma once

#include "simgpu/engine/clock.h"
#include "simgpu/engine/operation.h"

namespace simgpu {

// How often this process's doorbell has been rung. The first call creates it.
unsigned doorbell_count();
// Blocks until it has been rung more than `seen` times, or until `until` (host time).
void wait_for_doorbell(unsigned seen, Nanoseconds until);
// Rings this process's own doorbell.
void ring_own_doorbell();

}  // namespace simgpu
