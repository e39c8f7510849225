// The driver's error for the runtime's, which the engine speaks.
#pragma once

#include <cuda.h>
#include <driver_types.h>

namespace simgpu {

CUresult driver_result(cudaError_t error);

}  // namespace simgpu
