// See attention.h.
#include "kernels/attention.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

constexpr int kBlock = 256;
constexpr int kLargestBlock = 512;

// The position in the merged layout of the eight elements at a flat index of the split layout.
__device__ std::size_t merged_index(std::size_t split, HeadShape shape, int parts) {
  const std::size_t within = split % shape.head_width;
  std::size_t rest = split / shape.head_width;
  const std::size_t position = rest % shape.sequence;
  rest /= shape.sequence;
  const std::size_t head = rest % shape.heads;
  rest /= shape.heads;
  const std::size_t sample = rest % shape.batch;
  const std::size_t part = rest / shape.batch;
  return (((sample * shape.sequence + position) * parts + part) * shape.heads + head) * shape.head_width + within;
}

__global__ void split_heads_kernel(Element* out, const Element* in, HeadShape shape, int parts, std::size_t count) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t index = thread * kElementsPerThread;
  if (index < count) store(out + index, load(in + merged_index(index, shape, parts)));
}

__global__ void merge_heads_kernel(Element* out, const Element* in, HeadShape shape, int parts, std::size_t count) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t index = thread * kElementsPerThread;
  if (index < count) store(out + merged_index(index, shape, parts), load(in + index));
}

__global__ void softmax_forward_kernel(Element* scores, int sequence, float scale) {
  Element* const row = scores + blockIdx.x * static_cast<std::size_t>(sequence);
  const int last = blockIdx.x % sequence;
  const int stride = blockDim.x * kElementsPerThread;
  float largest = Maximum::kNeutral;
  for (int column = threadIdx.x * kElementsPerThread; column <= last; column += stride) {
    const Vector x = load(row + column);
    for (int i = 0; i < kElementsPerThread; ++i) {
      if (column + i <= last) largest = fmaxf(largest, x.values[i] * scale);
    }
  }
  largest = reduce_block(largest, Maximum{});
  float sum = 0;
  for (int column = threadIdx.x * kElementsPerThread; column <= last; column += stride) {
    const Vector x = load(row + column);
    for (int i = 0; i < kElementsPerThread; ++i) {
      if (column + i <= last) sum += __expf(x.values[i] * scale - largest);
    }
  }
  sum = reduce_block(sum, Sum{});
  for (int column = threadIdx.x * kElementsPerThread; column < sequence; column += stride) {
    Vector x = load(row + column);
    for (int i = 0; i < kElementsPerThread; ++i) {
      x.values[i] = column + i <= last ? __expf(x.values[i] * scale - largest) / sum : 0;
    }
    store(row + column, x);
  }
}

__global__ void softmax_backward_kernel(Element* gradient, const Element* probabilities, int sequence, float scale) {
  Element* const row = gradient + blockIdx.x * static_cast<std::size_t>(sequence);
  const Element* const chance = probabilities + blockIdx.x * static_cast<std::size_t>(sequence);
  const int stride = blockDim.x * kElementsPerThread;
  float product = 0;
  for (int column = threadIdx.x * kElementsPerThread; column < sequence; column += stride) {
    const Vector g = load(row + column);
    const Vector p = load(chance + column);
    for (int i = 0; i < kElementsPerThread; ++i) product += g.values[i] * p.values[i];
  }
  product = reduce_block(product, Sum{});
  for (int column = threadIdx.x * kElementsPerThread; column < sequence; column += stride) {
    Vector g = load(row + column);
    const Vector p = load(chance + column);
    for (int i = 0; i < kElementsPerThread; ++i) g.values[i] = scale * p.values[i] * (g.values[i] - product);
    store(row + column, g);
  }
}

int threads_of(int sequence) {
  const int threads = (sequence / kElementsPerThread + 31) / 32 * 32;
  return threads < kLargestBlock ? threads : kLargestBlock;
}

std::size_t elements_of(HeadShape shape, int parts) {
  return static_cast<std::size_t>(parts) * shape.batch * shape.sequence * shape.heads * shape.head_width;
}

unsigned blocks_of(std::size_t count) {
  return static_cast<unsigned>((count / kElementsPerThread + kBlock - 1) / kBlock);
}

}  // namespace

void split_heads(Element* out, const Element* in, HeadShape shape, int parts, cudaStream_t stream) {
  const std::size_t count = elements_of(shape, parts);
  split_heads_kernel<<<blocks_of(count), kBlock, 0, stream>>>(out, in, shape, parts, count);
}

void merge_heads(Element* out, const Element* in, HeadShape shape, int parts, cudaStream_t stream) {
  const std::size_t count = elements_of(shape, parts);
  merge_heads_kernel<<<blocks_of(count), kBlock, 0, stream>>>(out, in, shape, parts, count);
}

void softmax_forward(Element* scores, int rows, int sequence, float scale, cudaStream_t stream) {
  softmax_forward_kernel<<<rows, threads_of(sequence), 0, stream>>>(scores, sequence, scale);
}

void softmax_backward(Element* gradient, const Element* probabilities, int rows, int sequence, float scale,
                      cudaStream_t stream) {
  softmax_backward_kernel<<<rows, threads_of(sequence), 0, stream>>>(gradient, probabilities, sequence, scale);
}

}  // namespace training
