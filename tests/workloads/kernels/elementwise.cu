// See elementwise.h.
#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

constexpr int kBlock = 256;

struct Add {
  const Element* a;
  const Element* b;
  __device__ Vector operator()(std::size_t index) const {
    Vector left = load(a + index);
    const Vector right = load(b + index);
    for (int i = 0; i < kElementsPerThread; ++i) left.values[i] += right.values[i];
    return left;
  }
};

// The tanh approximation.
constexpr float kGeluScale = 0.7978845608f;
constexpr float kGeluCubic = 0.044715f;

struct Gelu {
  const Element* in;
  __device__ Vector operator()(std::size_t index) const {
    Vector x = load(in + index);
    for (float& value : x.values) {
      value = 0.5f * value * (1 + tanhf(kGeluScale * (value + kGeluCubic * value * value * value)));
    }
    return x;
  }
};

struct GeluGradient {
  const Element* gradient;
  const Element* in;
  __device__ Vector operator()(std::size_t index) const {
    Vector result = load(gradient + index);
    const Vector input = load(in + index);
    for (int i = 0; i < kElementsPerThread; ++i) {
      const float x = input.values[i];
      const float t = tanhf(kGeluScale * (x + kGeluCubic * x * x * x));
      const float slope = kGeluScale * (1 + 3 * kGeluCubic * x * x);
      result.values[i] *= 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * slope;
    }
    return result;
  }
};

struct Random {
  std::uint32_t seed;
  float spread;
  __device__ Vector operator()(std::size_t index) const {
    Vector out;
    for (int i = 0; i < kElementsPerThread; ++i) {
      std::uint32_t bits = (static_cast<std::uint32_t>(index) + i) * 2654435761u ^ seed * 2246822519u;
      bits ^= bits >> 15;
      bits *= 2246822519u;
      bits ^= bits >> 13;
      out.values[i] = spread * (static_cast<float>(bits) * (2.0f / 4294967296.0f) - 1);
    }
    return out;
  }
};

struct Constant {
  float value;
  __device__ Vector operator()(std::size_t) const {
    Vector out;
    for (float& element : out.values) element = value;
    return out;
  }
};

template <typename Operation>
__global__ void elementwise_kernel(Element* out, std::size_t begin, std::size_t end, Operation operation) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t index = begin + thread * kElementsPerThread;
  if (index < end) store(out + index, operation(index));
}

template <typename Operation>
void launch(Element* out, std::size_t count, Operation operation, Slicing slicing, cudaStream_t stream) {
  const std::size_t vectors = count / kElementsPerThread;
  const std::size_t slice = (vectors + slicing.launches - 1) / slicing.launches * kElementsPerThread;
  for (std::size_t begin = 0; begin < count; begin += slice) {
    const std::size_t end = std::min(count, begin + slice);
    const std::size_t blocks = ((end - begin) / kElementsPerThread + kBlock - 1) / kBlock;
    elementwise_kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(out, begin, end, operation);
  }
}

}  // namespace

void add(Element* sum, const Element* a, const Element* b, std::size_t count, Slicing slicing, cudaStream_t stream) {
  launch(sum, count, Add{a, b}, slicing, stream);
}

void gelu_forward(Element* out, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream) {
  launch(out, count, Gelu{in}, slicing, stream);
}

void gelu_backward(Element* gradient, const Element* in, std::size_t count, Slicing slicing, cudaStream_t stream) {
  launch(gradient, count, GeluGradient{gradient, in}, slicing, stream);
}

void fill_random(Element* out, std::size_t count, std::uint32_t seed, float spread, cudaStream_t stream) {
  launch(out, count, Random{seed, spread}, {}, stream);
}

void fill_constant(Element* out, std::size_t count, float value, cudaStream_t stream) {
  launch(out, count, Constant{value}, {}, stream);
}

}  // namespace training
