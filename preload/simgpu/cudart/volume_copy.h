// Converts the runtime's parameters of a three-dimensional copy.
#pragma once

#include <cuda_runtime_api.h>

#include "simgpu/engine/copy.h"

namespace simgpu {

// cudaErrorNotSupported for arrays.
cudaError_t volume_copy(const cudaMemcpy3DParms* parameters, Copy* out);

}  // namespace simgpu
