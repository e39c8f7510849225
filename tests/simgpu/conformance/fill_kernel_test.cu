// A kernel with the name and parameters of PyTorch's fills writes its result, on the simulator too.
#include <vector>

#include "device_objects.h"

namespace at::native {

template <typename Value>
struct FillFunctor {
  Value value;
};

struct Pointers {
  char* first;
};

template <int Width, typename Functor, typename Addresses, bool Flag>
__global__ void vectorized_elementwise_kernel(int count, Functor functor, Addresses addresses) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < count) reinterpret_cast<decltype(functor.value)*>(addresses.first)[at] = functor.value;
}

}  // namespace at::native

namespace conformance {
namespace {

template <typename Value>
std::vector<Value> filled(Value value, int count) {
  Value* memory = nullptr;
  EXPECT_CUDA(cudaMalloc(&memory, static_cast<std::size_t>(count + 1) * sizeof(Value)));
  EXPECT_CUDA(cudaMemset(memory, 0, static_cast<std::size_t>(count + 1) * sizeof(Value)));
  at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<Value>, at::native::Pointers, false>
      <<<1, 128>>>(count, {value}, {reinterpret_cast<char*>(memory)});
  std::vector<Value> result(static_cast<std::size_t>(count + 1));
  EXPECT_CUDA(cudaMemcpy(result.data(), memory, result.size() * sizeof(Value), cudaMemcpyDeviceToHost));
  EXPECT_CUDA(cudaFree(memory));
  return result;
}

TEST(FillKernel, EveryElementHasTheValueAndNoOther) {
  EXPECT_EQ((std::vector<float>{7.5F, 7.5F, 7.5F, 0}), filled(7.5F, 3));
  EXPECT_EQ((std::vector<long>{-3, -3, 0}), filled(-3L, 2));
  EXPECT_EQ((std::vector<signed char>{1, 1, 1, 1, 1, 0}), filled<signed char>(1, 5));
}

TEST(FillKernel, ReplayedInAGraphItFillsAgain) {
  Stream stream;
  int* memory = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaMalloc(&memory, sizeof(int)));
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int>, at::native::Pointers, false>
      <<<1, 128, 0, stream>>>(1, {42}, {reinterpret_cast<char*>(memory)});
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) {
    int result = 0;
    EXPECT_CUDA(cudaMemsetAsync(memory, 0, sizeof(int), stream));
    EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    EXPECT_CUDA(cudaMemcpyAsync(&result, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
    EXPECT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_EQ(42, result);
  }
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_CUDA(cudaGraphDestroy(graph));
  EXPECT_CUDA(cudaFree(memory));
}

}  // namespace
}  // namespace conformance
