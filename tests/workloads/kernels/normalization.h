// Row-wise layer normalization.
#pragma once

#include <cuda_runtime.h>

#include "kernels/element.h"

namespace training {

struct Rows {
  int count;
  int width;  // at most 8192
};

// The scales of all columns, then their shifts: 2 × width elements.
struct NormalizationInput {
  const Element* in;
  const Element* scale_and_shift;
  float* statistics;  // mean and inverse deviation of each row: written forward, read backward
};

void layer_norm_forward(Element* out, const NormalizationInput& input, Rows rows, cudaStream_t stream);

// Adds `residual`, the gradient that bypasses the normalization, to the gradient of the input.
void layer_norm_backward(Element* in_gradient, const Element* out_gradient, const Element* residual,
                         const NormalizationInput& input, Rows rows, cudaStream_t stream);

// `partial`: partial_rows × 2 × width floats.
int partial_rows(Rows rows);
void layer_norm_weight_gradient(Element* gradient, float* partial, const Element* out_gradient,
                                const NormalizationInput& input, Rows rows, bool accumulate, cudaStream_t stream);

}  // namespace training
