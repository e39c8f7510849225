// Device properties and attributes: the configured profile with the limits of its architecture.
#pragma once

#include <driver_types.h>

#include <optional>

#include "simgpu/engine/visibility.h"

namespace simgpu {

SIMGPU_API const cudaDeviceProp& device_properties(int device);

// The driver's attributes have the same numbers. nullopt: no such attribute.
SIMGPU_API std::optional<int> device_attribute(int attribute, int device);

}  // namespace simgpu
