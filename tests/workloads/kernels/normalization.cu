// See normalization.h. One block per row, eight columns per thread.
#include "kernels/normalization.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

constexpr float kEpsilon = 1e-5f;
constexpr int kRowsOfBlock = 64;

__global__ void layer_norm_forward_kernel(Element* out, NormalizationInput input, int width) {
  const std::size_t row = blockIdx.x;
  const int column = threadIdx.x * kElementsPerThread;
  const bool is_inside = column < width;
  Vector x{};
  if (is_inside) x = load(input.in + row * width + column);
  float sum = 0;
  for (const float value : x.values) sum += value;
  const float mean = reduce_block(sum, Sum{}) / width;
  float squares = 0;
  for (const float value : x.values) squares += is_inside ? (value - mean) * (value - mean) : 0;
  const float inverse = rsqrtf(reduce_block(squares, Sum{}) / width + kEpsilon);
  if (threadIdx.x == 0) {
    input.statistics[2 * row] = mean;
    input.statistics[2 * row + 1] = inverse;
  }
  if (!is_inside) return;
  const Vector scale = load(input.scale_and_shift + column);
  const Vector shift = load(input.scale_and_shift + width + column);
  for (int i = 0; i < kElementsPerThread; ++i) {
    x.values[i] = (x.values[i] - mean) * inverse * scale.values[i] + shift.values[i];
  }
  store(out + row * width + column, x);
}

__global__ void layer_norm_backward_kernel(Element* in_gradient, const Element* out_gradient, const Element* residual,
                                           NormalizationInput input, int width) {
  const std::size_t row = blockIdx.x;
  const int column = threadIdx.x * kElementsPerThread;
  const bool is_inside = column < width;
  const float mean = input.statistics[2 * row];
  const float inverse = input.statistics[2 * row + 1];
  Vector normal{}, gradient{};
  float sum = 0, product = 0;
  if (is_inside) {
    normal = load(input.in + row * width + column);
    gradient = load(out_gradient + row * width + column);
    const Vector scale = load(input.scale_and_shift + column);
    for (int i = 0; i < kElementsPerThread; ++i) {
      normal.values[i] = (normal.values[i] - mean) * inverse;
      gradient.values[i] *= scale.values[i];
      sum += gradient.values[i];
      product += gradient.values[i] * normal.values[i];
    }
  }
  sum = reduce_block(sum, Sum{}) / width;
  product = reduce_block(product, Sum{}) / width;
  if (!is_inside) return;
  Vector result = load(residual + row * width + column);
  for (int i = 0; i < kElementsPerThread; ++i) {
    result.values[i] += inverse * (gradient.values[i] - sum - normal.values[i] * product);
  }
  store(in_gradient + row * width + column, result);
}

// Block (x, y) sums every gridDim.y-th row of its columns.
__global__ void layer_norm_partial_gradient_kernel(float* partial, const Element* out_gradient,
                                                   NormalizationInput input, Rows rows) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * kElementsPerThread;
  if (column >= rows.width) return;
  Vector scale{}, shift{};
  for (int row = blockIdx.y; row < rows.count; row += gridDim.y) {
    const Vector x = load(input.in + static_cast<std::size_t>(row) * rows.width + column);
    const Vector gradient = load(out_gradient + static_cast<std::size_t>(row) * rows.width + column);
    const float mean = input.statistics[2 * row];
    const float inverse = input.statistics[2 * row + 1];
    for (int i = 0; i < kElementsPerThread; ++i) {
      scale.values[i] += gradient.values[i] * (x.values[i] - mean) * inverse;
      shift.values[i] += gradient.values[i];
    }
  }
  float* const own = partial + static_cast<std::size_t>(blockIdx.y) * 2 * rows.width + column;
  store_floats(own, scale);
  store_floats(own + rows.width, shift);
}

__global__ void layer_norm_sum_gradient_kernel(Element* gradient, const float* partial, int columns, int partial_count,
                                               bool accumulate) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * kElementsPerThread;
  if (column >= columns) return;
  Vector sum{};
  if (accumulate) sum = load(gradient + column);
  for (int row = 0; row < partial_count; ++row) {
    const Vector part = load_floats(partial + static_cast<std::size_t>(row) * columns + column);
    for (int i = 0; i < kElementsPerThread; ++i) sum.values[i] += part.values[i];
  }
  store(gradient + column, sum);
}

int threads_of(int width) { return (width / kElementsPerThread + 31) / 32 * 32; }

}  // namespace

void layer_norm_forward(Element* out, const NormalizationInput& input, Rows rows, cudaStream_t stream) {
  layer_norm_forward_kernel<<<rows.count, threads_of(rows.width), 0, stream>>>(out, input, rows.width);
}

void layer_norm_backward(Element* in_gradient, const Element* out_gradient, const Element* residual,
                         const NormalizationInput& input, Rows rows, cudaStream_t stream) {
  layer_norm_backward_kernel<<<rows.count, threads_of(rows.width), 0, stream>>>(in_gradient, out_gradient, residual,
                                                                                input, rows.width);
}

int partial_rows(Rows rows) { return (rows.count + kRowsOfBlock - 1) / kRowsOfBlock; }

void layer_norm_weight_gradient(Element* gradient, float* partial, const Element* out_gradient,
                                const NormalizationInput& input, Rows rows, bool accumulate, cudaStream_t stream) {
  constexpr int kBlock = 64;
  constexpr int kColumns = kBlock * kElementsPerThread;
  const int parts = partial_rows(rows);
  const dim3 grid((rows.width + kColumns - 1) / kColumns, parts);
  layer_norm_partial_gradient_kernel<<<grid, kBlock, 0, stream>>>(partial, out_gradient, input, rows);
  const int blocks = (2 * rows.width + kColumns - 1) / kColumns;
  layer_norm_sum_gradient_kernel<<<blocks, kBlock, 0, stream>>>(gradient, partial, 2 * rows.width, parts, accumulate);
}

}  // namespace training
