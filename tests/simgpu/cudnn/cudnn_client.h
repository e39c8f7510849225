// The part of cudnn.h that these tests call, and a handle with a stream and two events to time its work.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

extern "C" {
int cudnnCreate(void** handle);
int cudnnDestroy(void* handle);
int cudnnSetStream(void* handle, cudaStream_t stream);
std::size_t cudnnGetVersion();
const char* cudnnGetErrorString(int status);
int cudnnBackendCreateDescriptor(int type, void** descriptor);
int cudnnBackendDestroyDescriptor(void* descriptor);
int cudnnBackendSetAttribute(void* descriptor, int name, int type, std::int64_t count, const void* elements);
int cudnnBackendGetAttribute(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                             void* elements);
int cudnnBackendFinalize(void* descriptor);
int cudnnBackendExecute(void* handle, void* plan, void* pack);
int cudnnCreateTensorDescriptor(void** tensor);
int cudnnDestroyTensorDescriptor(void* tensor);
int cudnnSetTensorNdDescriptor(void* tensor, int type, int count, const int* dimensions, const int* strides);
int cudnnGetTensorNdDescriptor(const void* tensor, int wanted, int* type, int* count, int* dimensions, int* strides);
int cudnnBatchNormalizationForwardTrainingEx(void* handle, int mode, int operations, const void* alpha,
                                             const void* beta, const void* x, const void* x_data, const void* z,
                                             const void* z_data, const void* y, void* y_data, const void* statistics,
                                             const void* scale, const void* bias, double factor, void* mean,
                                             void* variance, double epsilon, void* saved_mean, void* saved_variance,
                                             const void* activation, void* workspace, std::size_t workspace_bytes,
                                             void* reserve, std::size_t reserve_bytes);
int cudnnRNNForward();
}

namespace cudnn_test {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3000;

class CudnnTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudnnCreate(&handle_), kSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudnnSetStream(handle_, stream_), kSuccess);
    ASSERT_EQ(cudaEventCreate(&begin_), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&end_), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaEventDestroy(begin_), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(end_), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    EXPECT_EQ(cudnnDestroy(handle_), kSuccess);
  }

  // The device time of what `action` launches. None of it starts before all of it is queued, so a slow host does not
  // count.
  template <typename Action>
  float milliseconds(Action action) {
    std::atomic<bool> is_queued{false};
    EXPECT_EQ(cudaLaunchHostFunc(stream_, wait_for_flag, &is_queued), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(begin_, stream_), cudaSuccess);
    action();
    EXPECT_EQ(cudaEventRecord(end_, stream_), cudaSuccess);
    is_queued = true;
    EXPECT_EQ(cudaEventSynchronize(end_), cudaSuccess);
    float elapsed = 0;
    EXPECT_EQ(cudaEventElapsedTime(&elapsed, begin_, end_), cudaSuccess);
    return elapsed;
  }

  void* handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;

 private:
  static void CUDART_CB wait_for_flag(void* flag) {
    while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

}  // namespace cudnn_test
