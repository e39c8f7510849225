// The timeline's reports about a device, for device_health.
#pragma once

#include <cstdint>

#include "simgpu/engine/clock.h"

namespace simgpu {

// A kernel or a copy ran on the device from `start` to `end` (host time). Call it when the operation is over, roughly
// in the order of starts.
void note_busy(int device, bool copy, Nanoseconds start, Nanoseconds end);

}  // namespace simgpu
