// See embedding.h. One block per row.
#include "kernels/embedding.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

__global__ void embedding_forward_kernel(Element* out, const Element* table, const std::int32_t* indices,
                                         const Element* features, int width) {
  const std::size_t row = blockIdx.x;
  const Element* const from = table + static_cast<std::size_t>(indices[row]) * width;
  for (int column = threadIdx.x * kElementsPerThread; column < width; column += blockDim.x * kElementsPerThread) {
    Vector x = load(from + column);
    const Vector feature = load(features + row * width + column);
    for (int i = 0; i < kElementsPerThread; ++i) x.values[i] += feature.values[i];
    store(out + row * width + column, x);
  }
}

__global__ void embedding_backward_kernel(Element* table_gradient, const Element* out_gradient,
                                          const std::int32_t* indices, int width) {
  const std::size_t row = blockIdx.x;
  Element* const to = table_gradient + static_cast<std::size_t>(indices[row]) * width;
  for (int column = threadIdx.x * kElementsPerThread; column < width; column += blockDim.x * kElementsPerThread) {
    const Vector gradient = load(out_gradient + row * width + column);
    for (int i = 0; i < kElementsPerThread; ++i) atomicAdd(to + column + i, __float2bfloat16(gradient.values[i]));
  }
}

__global__ void gather_rows_kernel(Element* out, const Element* in, const std::int32_t* order, int width) {
  const std::size_t row = blockIdx.x;
  const Element* const from = in + static_cast<std::size_t>(order[row]) * width;
  for (int column = threadIdx.x * kElementsPerThread; column < width; column += blockDim.x * kElementsPerThread) {
    store(out + row * width + column, load(from + column));
  }
}

__global__ void scatter_rows_kernel(Element* out, const Element* in, const std::int32_t* order, int width) {
  const std::size_t row = blockIdx.x;
  Element* const to = out + static_cast<std::size_t>(order[row]) * width;
  for (int column = threadIdx.x * kElementsPerThread; column < width; column += blockDim.x * kElementsPerThread) {
    store(to + column, load(in + row * width + column));
  }
}

int threads_of(int width) {
  const int threads = (width / kElementsPerThread + 31) / 32 * 32;
  return threads < 512 ? threads : 512;
}

}  // namespace

void embedding_forward(Element* out, const Element* table, const std::int32_t* indices, const Element* features,
                       int rows, int width, cudaStream_t stream) {
  embedding_forward_kernel<<<rows, threads_of(width), 0, stream>>>(out, table, indices, features, width);
}

void embedding_backward(Element* table_gradient, const Element* out_gradient, const std::int32_t* indices, int rows,
                        int width, cudaStream_t stream) {
  embedding_backward_kernel<<<rows, threads_of(width), 0, stream>>>(table_gradient, out_gradient, indices, width);
}

void gather_rows(Element* out, const Element* in, const std::int32_t* order, int rows, int width, cudaStream_t stream) {
  gather_rows_kernel<<<rows, threads_of(width), 0, stream>>>(out, in, order, width);
}

void scatter_rows(Element* out, const Element* in, const std::int32_t* order, int rows, int width,
                  cudaStream_t stream) {
  scatter_rows_kernel<<<rows, threads_of(width), 0, stream>>>(out, in, order, width);
}

}  // namespace training
