// Converts the runtime's errors, which the engine returns, to the driver's.
#pragma once

#include <cuda.h>
#include <driver_types.h>

namespace simgpu {

CUresult driver_result(cudaError_t error);

}  // namespace simgpu
