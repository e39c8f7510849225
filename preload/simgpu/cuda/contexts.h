// The driver's contexts. Each device has one, its primary context; cuCtxCreate returns it too.
#pragma once

#include <cuda.h>

#include <optional>

namespace simgpu {

// Makes the device's context if there is none yet.
CUcontext context_on(int device);
// The context of the calling thread's device, if it has one.
CUcontext current_context();
// nullopt: no such context.
std::optional<int> device_of(CUcontext context);

}  // namespace simgpu
