// See optimizer.h. A block takes a chunk of one tensor, found by counting the blocks before it.
#include "kernels/optimizer.h"
#include "kernels/vector.cuh"

namespace training {
namespace {

constexpr int kBlock = 256;
constexpr std::size_t kChunk = kBlock * kElementsPerThread;

struct Position {
  int tensor;
  std::size_t index;
};

__device__ Position position_of(const TensorList& list) {
  int tensor = 0;
  while (blockIdx.x >= list.first_block[tensor + 1]) ++tensor;
  return {tensor, (blockIdx.x - list.first_block[tensor]) * kChunk + threadIdx.x * kElementsPerThread};
}

__global__ void multi_tensor_adamw_kernel(const __grid_constant__ TensorList list, AdamW adamw) {
  const Position position = position_of(list);
  const UpdateTensor& tensor = list.tensors[position.tensor];
  if (position.index >= tensor.count) return;
  const Vector gradient = load(tensor.gradient + position.index);
  Vector first = load_floats(tensor.first_moment + position.index);
  Vector second = load_floats(tensor.second_moment + position.index);
  Vector weight = load_floats(tensor.master + position.index);
  for (int i = 0; i < kElementsPerThread; ++i) {
    const float g = gradient.values[i];
    first.values[i] = adamw.first_decay * first.values[i] + (1 - adamw.first_decay) * g;
    second.values[i] = adamw.second_decay * second.values[i] + (1 - adamw.second_decay) * g * g;
    const float divisor = sqrtf(second.values[i] * adamw.second_correction) + adamw.epsilon;
    weight.values[i] *= 1 - adamw.rate * adamw.weight_decay;
    weight.values[i] -= adamw.rate * first.values[i] * adamw.first_correction / divisor;
  }
  store_floats(tensor.first_moment + position.index, first);
  store_floats(tensor.second_moment + position.index, second);
  store_floats(tensor.master + position.index, weight);
  store(tensor.weights + position.index, weight);
}

__global__ void multi_tensor_l2norm_kernel(const __grid_constant__ TensorList list, float* partial) {
  const Position position = position_of(list);
  const UpdateTensor& tensor = list.tensors[position.tensor];
  float squares = 0;
  if (position.index < tensor.count) {
    const Vector gradient = load(tensor.gradient + position.index);
    for (const float value : gradient.values) squares += value * value;
  }
  squares = reduce_block(squares, Sum{});
  if (threadIdx.x == 0) partial[blockIdx.x] = squares;
}

__global__ void sum_norms_kernel(float* square, const float* partial, unsigned count) {
  float sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) sum += partial[i];
  sum = reduce_block(sum, Sum{});
  if (threadIdx.x == 0) *square = sum;
}

__global__ void clip_gradients_kernel(const __grid_constant__ TensorList list, const float* square, float limit) {
  const float factor = limit / (sqrtf(*square) + 1e-6f);
  if (factor >= 1) return;
  const Position position = position_of(list);
  const UpdateTensor& tensor = list.tensors[position.tensor];
  if (position.index >= tensor.count) return;
  Vector gradient = load(tensor.gradient + position.index);
  for (float& value : gradient.values) value *= factor;
  store(tensor.gradient + position.index, gradient);
}

template <typename Operation>
__global__ void for_each_vector_kernel(std::size_t count, Operation operation) {
  const std::size_t index = blockIdx.x * kChunk + threadIdx.x * kElementsPerThread;
  if (index < count) operation(index);
}

template <typename Operation>
void for_each_vector(std::size_t count, Operation operation, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>((count + kChunk - 1) / kChunk);
  for_each_vector_kernel<<<blocks, kBlock, 0, stream>>>(count, operation);
}

struct Scale {
  float* values;
  float factor;
  __device__ void operator()(std::size_t index) const {
    Vector x = load_floats(values + index);
    for (float& value : x.values) value *= factor;
    store_floats(values + index, x);
  }
};

struct AddGradient {
  float* values;
  const Element* gradient;
  float factor;
  bool is_squared;
  __device__ void operator()(std::size_t index) const {
    Vector x = load_floats(values + index);
    const Vector g = load(gradient + index);
    for (int i = 0; i < kElementsPerThread; ++i) {
      x.values[i] += factor * g.values[i] * (is_squared ? g.values[i] : 1);
    }
    store_floats(values + index, x);
  }
};

struct DivideByDeviation {
  float* weights;
  const float* first;
  const float* second;
  AdamW adamw;
  __device__ void operator()(std::size_t index) const {
    Vector weight = load_floats(weights + index);
    const Vector mean = load_floats(first + index);
    const Vector square = load_floats(second + index);
    for (int i = 0; i < kElementsPerThread; ++i) {
      const float divisor = sqrtf(square.values[i] * adamw.second_correction) + adamw.epsilon;
      weight.values[i] -= adamw.rate * mean.values[i] * adamw.first_correction / divisor;
    }
    store_floats(weights + index, weight);
  }
};

struct Narrow {
  Element* out;
  const float* in;
  __device__ void operator()(std::size_t index) const { store(out + index, load_floats(in + index)); }
};

struct Widen {
  float* out;
  const Element* in;
  __device__ void operator()(std::size_t index) const { store_floats(out + index, load(in + index)); }
};

}  // namespace

void multi_tensor_adamw(const TensorList& list, const AdamW& adamw, cudaStream_t stream) {
  multi_tensor_adamw_kernel<<<list.first_block[list.size], kBlock, 0, stream>>>(list, adamw);
}

void per_tensor_adamw(const UpdateTensor& tensor, const AdamW& adamw, cudaStream_t stream) {
  const std::size_t count = tensor.count;
  for_each_vector(count, Scale{tensor.master, 1 - adamw.rate * adamw.weight_decay}, stream);
  for_each_vector(count, Scale{tensor.first_moment, adamw.first_decay}, stream);
  for_each_vector(count, AddGradient{tensor.first_moment, tensor.gradient, 1 - adamw.first_decay, false}, stream);
  for_each_vector(count, Scale{tensor.second_moment, adamw.second_decay}, stream);
  for_each_vector(count, AddGradient{tensor.second_moment, tensor.gradient, 1 - adamw.second_decay, true}, stream);
  for_each_vector(count, DivideByDeviation{tensor.master, tensor.first_moment, tensor.second_moment, adamw}, stream);
  for_each_vector(count, Narrow{tensor.weights, tensor.master}, stream);
}

unsigned multi_tensor_l2norm(const TensorList& list, float* partial, cudaStream_t stream) {
  const unsigned blocks = list.first_block[list.size];
  multi_tensor_l2norm_kernel<<<blocks, kBlock, 0, stream>>>(list, partial);
  return blocks;
}

unsigned multi_tensor_blocks(const UpdateTensor& tensor) {
  return static_cast<unsigned>((tensor.count + kChunk - 1) / kChunk);
}

void sum_norms(float* square, const float* partial, unsigned count, cudaStream_t stream) {
  sum_norms_kernel<<<1, 1024, 0, stream>>>(square, partial, count);
}

void clip_gradients(const TensorList& list, const float* square, float limit, cudaStream_t stream) {
  clip_gradients_kernel<<<list.first_block[list.size], kBlock, 0, stream>>>(list, square, limit);
}

void lay_out_blocks(TensorList& list) {
  list.first_block[0] = 0;
  for (int i = 0; i < list.size; ++i) {
    list.first_block[i + 1] = list.first_block[i] + multi_tensor_blocks(list.tensors[i]);
  }
}

void copy_to_master(float* master, const Element* weights, std::size_t count, cudaStream_t stream) {
  for_each_vector(count, Widen{master, weights}, stream);
}

}  // namespace training
