// Hints for managed memory, for both ABIs: CUDA 12 names a location by a device ordinal, CUDA 13 by a cudaMemLocation.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "simgpu/engine/stream.h"

namespace simgpu {

cudaMemLocation location_of(int device);
cudaError_t prefetch(const void* address, std::size_t bytes, const cudaMemLocation& location, cudaStream_t stream,
                     DefaultStream meaning);
cudaError_t advise(const void* address, std::size_t bytes, cudaMemoryAdvise advice, const cudaMemLocation& location);

}  // namespace simgpu
