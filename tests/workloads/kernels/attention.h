// The parts of attention between its products: splitting and merging heads, and the causal softmax.
#pragma once

#include <cuda_runtime.h>

#include "kernels/element.h"

namespace training {

struct HeadShape {
  int batch, sequence, heads, head_width;
};

// [parts][batch][heads][sequence][head width] from [batch][sequence][parts][heads][head width], and back.
void split_heads(Element* out, const Element* in, HeadShape shape, int parts, cudaStream_t stream);
void merge_heads(Element* out, const Element* in, HeadShape shape, int parts, cudaStream_t stream);

// In place over rows of `sequence` scores; row r sees the columns up to r modulo sequence.
void softmax_forward(Element* scores, int rows, int sequence, float scale, cudaStream_t stream);
void softmax_backward(Element* gradient, const Element* probabilities, int rows, int sequence, float scale,
                      cudaStream_t stream);

}  // namespace training
