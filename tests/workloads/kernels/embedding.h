// Rows by index: the embedding of tokens, and the sorting of tokens by expert.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/element.h"

namespace training {

// out[i] = table[indices[i]] + features[i]
void embedding_forward(Element* out, const Element* table, const std::int32_t* indices, const Element* features,
                       int rows, int width, cudaStream_t stream);
void embedding_backward(Element* table_gradient, const Element* out_gradient, const std::int32_t* indices, int rows,
                        int width, cudaStream_t stream);

// out[i] = in[order[i]], and out[order[i]] = in[i].
void gather_rows(Element* out, const Element* in, const std::int32_t* order, int rows, int width, cudaStream_t stream);
void scatter_rows(Element* out, const Element* in, const std::int32_t* order, int rows, int width, cudaStream_t stream);

}  // namespace training
