// Cross entropy of the predicted next token.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/element.h"

namespace training {

// Replaces `logits` by their gradient, multiplied by `gradient_scale`; `row_losses`: one float per row.
void cross_entropy(Element* logits, float* row_losses, const std::int32_t* targets, int rows, int vocabulary,
                   float gradient_scale, cudaStream_t stream);

// *loss += scale · sum of the rows.
void sum_losses(float* loss, const float* row_losses, int rows, float scale, cudaStream_t stream);

}  // namespace training
