// The two clocks of the simulation.
//
// Everything is computed in host time: CLOCK_MONOTONIC, which all processes of a machine share. Each device has a clock
// of its own that wanders slowly around host time by a few microseconds, as a GPU's clock does once the driver has
// converted its ticks. Activity records carry device time; the truth carries both.
#pragma once

#include <cstdint>

#include "simgpu/engine/visibility.h"

namespace simgpu {

using Nanoseconds = std::int64_t;

SIMGPU_API Nanoseconds host_now();

// Returns the reading of `device`'s clock at host time `host`. It differs by at most Config::wander and never runs
// backwards, but may show the same nanosecond twice.
SIMGPU_API Nanoseconds device_time(int device, Nanoseconds host);

}  // namespace simgpu
