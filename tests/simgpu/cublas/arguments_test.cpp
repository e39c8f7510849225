// The statuses that cuBLAS documents for parameters and handles.
#include <dlfcn.h>

#include "blas_objects.h"

namespace cublas_test {
namespace {

using ArgumentsTest = CublasTest;

// "CUBLAS_STATUS_NOT_INITIALIZED: The library was not initialized", also for a destroyed handle.
TEST(Handle, AFunctionWithoutAHandleIsNotInitialized) {
  const float one = 1;
  float* memory = nullptr;
  EXPECT_EQ(cublasSscal(nullptr, 1, &one, memory, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasLtDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
}

// The real library may crash here, because its handles are addresses.
TEST(Handle, ADestroyedHandleIsFoundOut) {
  if (!dlsym(RTLD_DEFAULT, "simgpu_announce")) GTEST_SKIP() << "only the simulator promises this";
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream(handle, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  cublasLtMatrixLayout_t layout = nullptr;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 1, 1, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_INVALID_VALUE);
}

// "CUBLAS_STATUS_INVALID_VALUE: handle == NULL".
TEST(Handle, CreationNeedsAPlaceForTheHandle) { EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE); }

TEST_F(ArgumentsTest, SettingsAreReadBack) {
  cublasPointerMode_t mode;
  EXPECT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetPointerMode(handle_, &mode), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mode, CUBLAS_POINTER_MODE_DEVICE);
  cublasMath_t math;
  EXPECT_EQ(cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetMathMode(handle_, &math), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cublasGetStream(handle_, &stream), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, stream_);
}

// "CUBLAS_STATUS_INVALID_VALUE: If m, n, k < 0 …, lda < max(1, m) if transa == CUBLAS_OP_N …, alpha or beta are NULL".
TEST_F(ArgumentsTest, GemmRefusesImpossibleShapes) {
  EXPECT_EQ(multiply_single(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply_single(-1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply_single(kSize, kSize - 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, a_, 1, b_, 1, &zero_, c_, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(
      cublasSgemm(handle_, static_cast<cublasOperation_t>(9), CUBLAS_OP_N, 1, 1, 1, &one_, a_, 1, b_, 1, &zero_, c_, 1),
      CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(ArgumentsTest, AnEmptyProductSucceeds) { EXPECT_EQ(multiply_single(0), CUBLAS_STATUS_SUCCESS); }

// The table of cublasGemmEx: "CUBLAS_STATUS_NOT_SUPPORTED: The combination of the parameters … is not supported".
TEST_F(ArgumentsTest, GemmExTakesTheDocumentedCombinations) {
  EXPECT_EQ(multiply(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(CUDA_R_64F, CUDA_R_32F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(CUDA_R_16F, CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(ArgumentsTest, VectorFunctionsTakeEmptyVectorsAndRefuseMissingScalars) {
  float result = 1;
  EXPECT_EQ(cublasSdot(handle_, 0, a_, 1, b_, 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSaxpy(handle_, 0, &one_, a_, 1, b_, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSgemv(handle_, CUBLAS_OP_N, 4, 4, &one_, a_, 4, b_, 0, &zero_, c_, 1), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(ArgumentsTest, VersionsAgree) {
  int version = 0, major = 0;
  EXPECT_EQ(cublasGetVersion(handle_, &version), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetProperty(MAJOR_VERSION, &major), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version / 10000, major);
  EXPECT_EQ(cublasLtGetVersion(), static_cast<size_t>(version));
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
}

// cublasSetVector and cublasGetVector copy elements, with a stride on either side.
TEST_F(ArgumentsTest, VectorsTravelToTheDeviceAndBack) {
  const float sent[6] = {1, -1, 2, -1, 3, -1};
  float received[3] = {};
  EXPECT_EQ(cublasSetVector(3, sizeof(float), sent, 2, a_, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetVector(3, sizeof(float), a_, 1, received, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(received[0], 1);
  EXPECT_EQ(received[1], 2);
  EXPECT_EQ(received[2], 3);
  EXPECT_EQ(cublasSetVector(3, sizeof(float), sent, 0, a_, 1), CUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace
}  // namespace cublas_test
