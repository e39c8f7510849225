// See loss.h.
#include "kernels/loss.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

constexpr int kBlock = 512;

__global__ void cross_entropy_kernel(Element* logits, float* row_losses, const std::int32_t* targets, int vocabulary,
                                     float gradient_scale) {
  Element* const row = logits + blockIdx.x * static_cast<std::size_t>(vocabulary);
  const int target = targets[blockIdx.x];
  const float of_target = __bfloat162float(row[target]);
  const int stride = blockDim.x * kElementsPerThread;
  float largest = Maximum::kNeutral;
  for (int column = threadIdx.x * kElementsPerThread; column < vocabulary; column += stride) {
    const Vector x = load(row + column);
    for (const float value : x.values) largest = fmaxf(largest, value);
  }
  largest = reduce_block(largest, Maximum{});
  float sum = 0;
  for (int column = threadIdx.x * kElementsPerThread; column < vocabulary; column += stride) {
    const Vector x = load(row + column);
    for (const float value : x.values) sum += __expf(value - largest);
  }
  sum = reduce_block(sum, Sum{});
  if (threadIdx.x == 0) row_losses[blockIdx.x] = logf(sum) + largest - of_target;
  for (int column = threadIdx.x * kElementsPerThread; column < vocabulary; column += stride) {
    Vector x = load(row + column);
    for (int i = 0; i < kElementsPerThread; ++i) {
      x.values[i] = gradient_scale * (__expf(x.values[i] - largest) / sum - (column + i == target ? 1 : 0));
    }
    store(row + column, x);
  }
}

__global__ void sum_losses_kernel(float* loss, const float* row_losses, int rows, float scale) {
  float sum = 0;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) sum += row_losses[row];
  sum = reduce_block(sum, Sum{});
  if (threadIdx.x == 0) *loss += scale * sum;
}

}  // namespace

void cross_entropy(Element* logits, float* row_losses, const std::int32_t* targets, int rows, int vocabulary,
                   float gradient_scale, cudaStream_t stream) {
  cross_entropy_kernel<<<rows, kBlock, 0, stream>>>(logits, row_losses, targets, vocabulary, gradient_scale);
}

void sum_losses(float* loss, const float* row_losses, int rows, float scale, cudaStream_t stream) {
  sum_losses_kernel<<<1, kBlock, 0, stream>>>(loss, row_losses, rows, scale);
}

}  // namespace training
