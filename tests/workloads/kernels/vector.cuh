// Building blocks of all kernels: eight elements at once, and sums over a block.
#pragma once

#include <cuda_runtime.h>

#include "kernels/element.h"

namespace training {

struct Vector {
  float values[kElementsPerThread];
};

__device__ inline Vector load(const Element* from) {
  const uint4 raw = *reinterpret_cast<const uint4*>(from);
  const Element* elements = reinterpret_cast<const Element*>(&raw);
  Vector out;
  for (int i = 0; i < kElementsPerThread; ++i) out.values[i] = __bfloat162float(elements[i]);
  return out;
}

__device__ inline void store(Element* to, const Vector& vector) {
  uint4 raw;
  Element* elements = reinterpret_cast<Element*>(&raw);
  for (int i = 0; i < kElementsPerThread; ++i) elements[i] = __float2bfloat16(vector.values[i]);
  *reinterpret_cast<uint4*>(to) = raw;
}

__device__ inline Vector load_floats(const float* from) {
  Vector out;
  for (int i = 0; i < kElementsPerThread; ++i) out.values[i] = from[i];
  return out;
}

__device__ inline void store_floats(float* to, const Vector& vector) {
  for (int i = 0; i < kElementsPerThread; ++i) to[i] = vector.values[i];
}

struct Sum {
  static constexpr float kNeutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct Maximum {
  static constexpr float kNeutral = -3.4e38f;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Every thread of the block gets the result. The order is fixed, so that equal inputs give equal bits.
template <typename Operation>
__device__ float reduce_block(float value, Operation operation) {
  __shared__ float of_warp[32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value = operation(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  const int warps = (blockDim.x + 31) / 32;
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = Operation::kNeutral;
  for (int warp = 0; warp < warps; ++warp) value = operation(value, of_warp[warp]);
  return value;
}

}  // namespace training
