// What the timeline tells of a device so that device_health can report it, and what only the engine and CUPTI may ask.
#pragma once

#include <cstdint>

#include "simgpu/engine/clock.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

// A kernel (or a copy) was on the device from `start` to `end`, host time. To be told once it is over, about in the
// order of the starts.
void note_busy(int device, bool copy, Nanoseconds start, Nanoseconds end);

// The number of the device's context, 0 where it has not been made.
SIMGPU_API std::uint32_t existing_context(int device);

}  // namespace simgpu
