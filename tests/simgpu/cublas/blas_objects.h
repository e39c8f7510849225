// Owners of a handle, a stream and memory, and the shapes that the tests multiply.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace cublas_test {

constexpr int kSize = 256;
constexpr size_t kBytes = sizeof(float) * kSize * kSize;

class CublasTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSetStream(handle_, stream_), CUBLAS_STATUS_SUCCESS);
    for (float** matrix : {&a_, &b_, &c_}) ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(matrix), kBytes), cudaSuccess);
  }

  void TearDown() override {
    EXPECT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    for (float* matrix : {a_, b_, c_}) EXPECT_EQ(cudaFree(matrix), cudaSuccess);
  }

  cublasStatus_t multiply_single(int n = kSize, int leading = kSize) {
    return cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one_, a_, leading, b_, leading, &zero_, c_,
                       leading);
  }

  cublasStatus_t multiply(cudaDataType_t input, cudaDataType_t output, cublasComputeType_t compute) {
    return cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one_, a_, input, kSize, b_, input,
                        kSize, &zero_, c_, output, kSize, compute, CUBLAS_GEMM_DEFAULT);
  }

  cudaStream_t stream_ = nullptr;
  cublasHandle_t handle_ = nullptr;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
  float one_ = 1, zero_ = 0;
};

}  // namespace cublas_test
