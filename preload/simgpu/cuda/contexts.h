// Contexts as the driver's callers hold them. There is one for each device, the primary one: what cuCtxCreate makes is
// the same context once more.
#pragma once

#include <cuda.h>

#include <optional>

namespace simgpu {

// Makes the device's context where there is none yet.
CUcontext context_on(int device);
// Of the calling thread's device, where that has a context.
CUcontext current_context();
// nullopt: no such context.
std::optional<int> device_of(CUcontext context);

}  // namespace simgpu
