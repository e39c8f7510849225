// What cudaGetDeviceProperties tells: the configured profile with the limits of its architecture.
#pragma once

#include <cuda_runtime_api.h>

namespace simgpu {

const cudaDeviceProp& device_properties(int device);

}  // namespace simgpu
