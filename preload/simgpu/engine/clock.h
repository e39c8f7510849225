// The two clocks of the simulation.
//
// Everything is computed in host time: CLOCK_MONOTONIC, the same line for all processes of a machine. A device has a
// clock of its own that wanders around it, slowly and by a few microseconds, as a GPU's does after the driver has
// converted its ticks. Activity records carry device time; the truth carries both.
#pragma once

#include <cstdint>

#include "simgpu/engine/visibility.h"

namespace simgpu {

using Nanoseconds = std::int64_t;

SIMGPU_API Nanoseconds host_now();

// What the clock of `device` shows at `host`: differs from it by at most Config::wander and never runs backwards, though
// it may show one nanosecond twice.
SIMGPU_API Nanoseconds device_time(int device, Nanoseconds host);

}  // namespace simgpu
