// Elementwise work of the layers.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/element.h"

namespace training {

// How many launches one elementwise operation is cut into: more than 1 makes a program bound by its launches.
struct Slicing {
  int launches = 1;
};

void add(Element* sum, const Element* a, const Element* b, std::size_t count, Slicing slicing, cudaStream_t stream);
void gelu_forward(Element* out, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream);
// `gradient` holds that of the output before and that of the input after.
void gelu_backward(Element* gradient, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream);
// Small numbers that depend on the seed and the index alone.
void fill_random(Element* out, std::size_t count, std::uint32_t seed, float spread, cudaStream_t stream);
void fill_constant(Element* out, std::size_t count, float value, cudaStream_t stream);

}  // namespace training
