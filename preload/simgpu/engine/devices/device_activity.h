// What the timeline tells of a device so that device_health can report it.
#pragma once

#include <cstdint>

#include "simgpu/engine/clock.h"

namespace simgpu {

// A kernel (or a copy) was on the device from `start` to `end`, host time. To be told once it is over, about in the
// order of the starts.
void note_busy(int device, bool copy, Nanoseconds start, Nanoseconds end);

}  // namespace simgpu
