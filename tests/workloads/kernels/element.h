// The number format of weights, activations and gradients.
#pragma once

#include <cuda_bf16.h>

namespace training {

using Element = __nv_bfloat16;

// Kernels move 16 bytes per thread; all their extents are multiples of this.
constexpr int kElementsPerThread = 8;

}  // namespace training
