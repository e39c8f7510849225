// libcublas calls the exported cublasLtMatmul, so that a hook on it sees the products requested from cuBLAS. The
// function here takes precedence over the library's, as a preloaded one would.
#include <dlfcn.h>

#include <atomic>

#include "blas_objects.h"

namespace {

std::atomic<int> matmul_calls{0};

}  // namespace

extern "C" __attribute__((visibility("default"))) cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha, const void* a,
    cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
    cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algo,
    void* workspace, size_t bytes, cudaStream_t stream) {
  static const auto real = reinterpret_cast<decltype(&cublasLtMatmul)>(dlsym(RTLD_NEXT, "cublasLtMatmul"));
  ++matmul_calls;
  return real(handle, operation, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algo, workspace,
              bytes, stream);
}

namespace cublas_test {
namespace {

using ForwardingTest = CublasTest;

TEST_F(ForwardingTest, HalfPrecisionPassesThroughCublasLt) {
  const int before = matmul_calls;
  EXPECT_EQ(multiply(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul_calls, before + 1);
}

TEST_F(ForwardingTest, SinglePrecisionDoesNot) {
  const int before = matmul_calls;
  EXPECT_EQ(multiply_single(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul_calls, before);
}

}  // namespace
}  // namespace cublas_test
