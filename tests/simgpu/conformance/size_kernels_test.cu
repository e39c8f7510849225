// Kernels with the names and parameters of PyTorch's kernels on a few integers write their results, on the simulator
// too.
#include <array>
#include <type_traits>
#include <vector>

#include "device_objects.h"

namespace at::native {

template <typename Value>
struct MaxNanFunctor {
  __device__ static Value combine(Value a, Value b) { return a > b ? a : b; }
};

template <typename Value>
struct MinNanFunctor {
  __device__ static Value combine(Value a, Value b) { return a < b ? a : b; }
};

template <typename Value, typename Functor>
struct func_wrapper_t {
  Functor functor;
};

struct IndexDivider {
  unsigned divisor, factor, shift;
};

template <int Arrays>
struct OffsetCalculator {
  int dimensions;
  IndexDivider sizes[25];
  unsigned strides[25][Arrays];
};

// The settings of a reduction, as PyTorch has had them since its version 1.1.
struct ReduceConfig {
  int element_size_bytes, num_inputs, num_outputs;
  int steps[2], ctas_per_output, input_mult[3], output_mult[2], block_width, block_height, num_threads;
  bool vectorize_input;
  int output_vec_size;
};

template <typename Value, typename Operation, typename Index, typename Result, int Width, int InputWidth>
struct ReduceOp {
  Operation operation;
  Value identity;
  ReduceConfig config;
  OffsetCalculator<1> input_offsets;
  OffsetCalculator<2> output_offsets;
  const void* source;
  char* destination[2];
};

template <int Threads, int Width, typename Reduction>
__global__ void reduce_kernel(Reduction reduction) {
  const auto* values = static_cast<const long*>(reduction.source);
  long result = values[0];
  for (int i = 1; i < reduction.config.num_inputs; ++i)
    result = decltype(reduction.operation.functor)::combine(result, values[i]);
  *reinterpret_cast<long*>(reduction.destination[0]) = result;
}

template <typename Value>
struct CUDAFunctor_add {
  Value factor;
  __device__ Value operator()(Value a, Value b) const { return a + factor * b; }
};

template <typename Value>
struct CompareFunctor {
  enum class Comparison { kGreaterOrEqual, kGreater, kLessOrEqual, kLess };
  Comparison comparison;
  __device__ bool operator()(Value a, Value b) const { return comparison == Comparison::kGreater ? a > b : a < b; }
};

// The elementwise kernel for unaligned addresses.
template <typename Functor, typename Addresses, int Unrolled, typename Offsets>
__global__ void unrolled_elementwise_kernel(int count, Functor functor, Addresses addresses, Offsets) {
  char* const* pointers = reinterpret_cast<char* const*>(&addresses);
  for (int i = 0; i < count; ++i) {
    const auto result =
        functor(reinterpret_cast<const long*>(pointers[1])[i], reinterpret_cast<const long*>(pointers[2])[i]);
    reinterpret_cast<std::remove_const_t<decltype(result)>*>(pointers[0])[i] = result;
  }
}

template <unsigned Bytes>
struct OpaqueType {
  char bytes[Bytes];
};

template <typename Element, typename Index, int Capacity, int Strides>
struct CatArrInputTensorMetadata {
  const Element* input[Capacity];
  Index offset[Capacity];
  Index dimension_size[Capacity];
  Index count[Capacity];
};

template <typename Element, typename Index, int Dimensions, int Capacity, int Strides>
__global__ void CatArrayBatchedCopy(Element* output,
                                    CatArrInputTensorMetadata<Element, Index, Capacity, Strides> inputs) {
  const unsigned tensor = blockIdx.y;
  if (threadIdx.x < inputs.count[tensor])
    output[inputs.offset[tensor] + threadIdx.x] = inputs.input[tensor][threadIdx.x];
}

}  // namespace at::native

// In PyTorch, too, this one is outside its namespace.
template <int Arrays, typename Index>
struct TrivialOffsetCalculator {};

namespace conformance {
namespace {

class DeviceIntegers {
 public:
  explicit DeviceIntegers(const std::vector<long>& values) : count_(values.size()) {
    EXPECT_CUDA(cudaMalloc(&memory_, count_ * sizeof(long)));
    EXPECT_CUDA(cudaMemcpy(memory_, values.data(), count_ * sizeof(long), cudaMemcpyHostToDevice));
  }
  ~DeviceIntegers() { EXPECT_CUDA(cudaFree(memory_)); }
  DeviceIntegers(const DeviceIntegers&) = delete;
  DeviceIntegers& operator=(const DeviceIntegers&) = delete;

  [[nodiscard]] long* get() const { return memory_; }
  [[nodiscard]] std::vector<long> values() const {
    std::vector<long> result(count_);
    EXPECT_CUDA(cudaMemcpy(result.data(), memory_, count_ * sizeof(long), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t count_;
  long* memory_ = nullptr;
};

template <typename Functor>
long reduced(const std::vector<long>& values) {
  const DeviceIntegers source(values);
  const DeviceIntegers result({-77});
  at::native::ReduceOp<long, at::native::func_wrapper_t<long, Functor>, unsigned, long, 4, 4> reduction = {};
  reduction.config.element_size_bytes = sizeof(long);
  reduction.config.num_inputs = static_cast<int>(values.size());
  reduction.config.num_outputs = 1;
  reduction.input_offsets.dimensions = 1;
  reduction.input_offsets.strides[0][0] = sizeof(long);
  reduction.source = source.get();
  reduction.destination[0] = reinterpret_cast<char*>(result.get());
  at::native::reduce_kernel<512, 1><<<1, 1>>>(reduction);
  return result.values()[0];
}

TEST(SizeKernels, TheLargestAndTheSmallestAreFound) {
  EXPECT_EQ(9, reduced<at::native::MaxNanFunctor<long>>({5, 9, 4}));
  EXPECT_EQ(-4, reduced<at::native::MinNanFunctor<long>>({5, 9, -4}));
  EXPECT_EQ(5, reduced<at::native::MaxNanFunctor<long>>({5}));
}

template <typename Functor>
void combine(Functor functor, const std::vector<long>& left, const std::vector<long>& right, void* result) {
  const DeviceIntegers first(left);
  const DeviceIntegers second(right);
  const std::array<char*, 3> addresses = {static_cast<char*>(result), reinterpret_cast<char*>(first.get()),
                                          reinterpret_cast<char*>(second.get())};
  at::native::unrolled_elementwise_kernel<Functor, std::array<char*, 3>, 4>
      <<<1, 1>>>(static_cast<int>(left.size()), functor, addresses, TrivialOffsetCalculator<2, unsigned>{});
  EXPECT_CUDA(cudaDeviceSynchronize());
}

TEST(SizeKernels, TensorsAreAddedAndSubtracted) {
  const DeviceIntegers result({0, 0, -7});
  combine(at::native::CUDAFunctor_add<long>{1}, {5, 9}, {1, -2}, result.get());
  EXPECT_EQ((std::vector<long>{6, 7, -7}), result.values());
  combine(at::native::CUDAFunctor_add<long>{-1}, {5, 9}, {1, -2}, result.get());
  EXPECT_EQ((std::vector<long>{4, 11, -7}), result.values());
}

TEST(SizeKernels, TensorsAreCompared) {
  using Functor = at::native::CompareFunctor<long>;
  const DeviceIntegers result({-1});
  combine(Functor{Functor::Comparison::kGreater}, {5, 9, 4}, {5, 1, 7}, result.get());
  EXPECT_EQ(-1L << 24 | 0x000100, result.values()[0]);
  combine(Functor{Functor::Comparison::kLess}, {5, 9, 4}, {5, 1, 7}, result.get());
  EXPECT_EQ(-1L << 24 | 0x010000, result.values()[0]);
}

TEST(SizeKernels, TensorsStandBehindEachOther) {
  const DeviceIntegers first({1, 2});
  const DeviceIntegers second({3, 4, 5});
  const DeviceIntegers result({0, 0, 0, 0, 0, -7});
  using Element = at::native::OpaqueType<8>;
  at::native::CatArrInputTensorMetadata<Element, unsigned, 4, 1> inputs = {};
  inputs.input[0] = reinterpret_cast<const Element*>(first.get());
  inputs.input[1] = reinterpret_cast<const Element*>(second.get());
  inputs.offset[1] = inputs.count[0] = 2;
  inputs.count[1] = 3;
  at::native::CatArrayBatchedCopy<Element, unsigned, 1, 4, 1>
      <<<dim3(1, 2), 32>>>(reinterpret_cast<Element*>(result.get()), inputs);
  EXPECT_EQ((std::vector<long>{1, 2, 3, 4, 5, -7}), result.values());
}

}  // namespace
}  // namespace conformance
