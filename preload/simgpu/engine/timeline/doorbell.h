// A word in shared memory that other processes ring. See operation.h for who rings and why.
#pragma once

#include "simgpu/engine/clock.h"
#include "simgpu/engine/operation.h"

namespace simgpu {

// How often this process's doorbell has been rung. Made at the first call.
unsigned doorbell_count();
// Blocks until it has been rung more often than `seen`, or until the moment `until` (host time).
void wait_for_doorbell(unsigned seen, Nanoseconds until);
// Rings this process's own.
void ring_own_doorbell();

}  // namespace simgpu
