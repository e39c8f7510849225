// Elementwise work of the layers.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/element.h"

namespace training {

// The number of launches that one elementwise operation is split into; many make a program launch-bound.
struct Slicing {
  int launches = 1;
};

void add(Element* sum, const Element* a, const Element* b, std::size_t count, Slicing slicing, cudaStream_t stream);
void gelu_forward(Element* out, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream);
// `gradient` is that of the output before the call and that of the input after it.
void gelu_backward(Element* gradient, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream);
// Small numbers that depend only on the seed and the index.
void fill_random(Element* out, std::size_t count, std::uint32_t seed, float spread, cudaStream_t stream);
void fill_constant(Element* out, std::size_t count, float value, cudaStream_t stream);

}  // namespace training
