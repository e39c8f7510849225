// When products run: they are asynchronous, keep their stream's order, and block if a result goes to the host.
#include "blas_objects.h"

namespace cublas_test {
namespace {

using TimingTest = CublasTest;

TEST_F(TimingTest, AProductTakesTimeBetweenEvents) {
  cudaEvent_t begin, end;
  ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(begin, stream_), cudaSuccess);
  EXPECT_EQ(multiply_single(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaEventRecord(end, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_GT(milliseconds, 0);
  EXPECT_EQ(cudaEventDestroy(begin), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
}

// "when the pointer mode is set to CUBLAS_POINTER_MODE_HOST … the functions … block the CPU, until the GPU has
// completed its computation and the results have been copied back to the host".
TEST_F(TimingTest, AHostResultIsWaitedFor) {
  float result = 0;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(multiply_single(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSdot(handle_, kSize, a_, 1, b_, 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaStreamQuery(stream_), cudaSuccess);
}

// A product on a stream that is being captured becomes a node.
TEST_F(TimingTest, AProductCanBeCaptured) {
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(multiply(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_GE(nodes, 1u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace
}  // namespace cublas_test
