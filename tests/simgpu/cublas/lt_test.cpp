// cublasLt: descriptors, layouts, heuristics, products.
#include <array>

#include "blas_objects.h"

namespace cublas_test {
namespace {

class LtTest : public CublasTest {
 protected:
  void SetUp() override {
    CublasTest::SetUp();
    ASSERT_EQ(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatrixLayoutCreate(&layout_, CUDA_R_16BF, kSize, kSize, kSize), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference_), CUBLAS_STATUS_SUCCESS);
  }

  void TearDown() override {
    EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescDestroy(operation_), CUBLAS_STATUS_SUCCESS);
    CublasTest::TearDown();
  }

  // "cublasHandle_t … can be used in place of cublasLtHandle_t with a simple cast".
  cublasLtHandle_t light() { return reinterpret_cast<cublasLtHandle_t>(handle_); }

  cublasStatus_t matmul(cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algo = nullptr) {
    return cublasLtMatmul(light(), operation_, &one_, a_, layout_, b_, layout_, &zero_, c_, d, c_, d, algo, nullptr, 0,
                          stream_);
  }

  cublasStatus_t heuristic(int requested, cublasLtMatmulHeuristicResult_t* results, int* found) {
    return cublasLtMatmulAlgoGetHeuristic(light(), operation_, layout_, layout_, layout_, layout_, preference_,
                                          requested, results, found);
  }

  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t layout_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
};

TEST_F(LtTest, ACublasHandleServesAsACublasLtHandle) { EXPECT_EQ(matmul(layout_), CUBLAS_STATUS_SUCCESS); }

TEST_F(LtTest, HeuristicsGiveAlgorithmsThatRun) {
  std::array<cublasLtMatmulHeuristicResult_t, 4> results;
  int found = 0;
  ASSERT_EQ(heuristic(4, results.data(), &found), CUBLAS_STATUS_SUCCESS);
  ASSERT_GT(found, 0);
  for (int i = 0; i < found; ++i) {
    EXPECT_EQ(results[i].state, CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(results[i].workspaceSize, 0u);  // the preference allows none
    EXPECT_EQ(matmul(layout_, &results[i].algo), CUBLAS_STATUS_SUCCESS);
  }
}

// "CUBLAS_STATUS_INVALID_VALUE: If the parameters are unexpectedly NULL, in conflict or in an impossible
// configuration".
TEST_F(LtTest, LayoutsInConflictAreRefused) {
  cublasLtMatrixLayout_t other;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&other, CUDA_R_16BF, kSize, kSize / 2, kSize), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(other), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(matmul(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(other), CUBLAS_STATUS_SUCCESS);
}

TEST_F(LtTest, AttributesAreReadBackInTheirSize) {
  const int32_t transposed = CUBLAS_OP_T;
  int32_t read = -1;
  size_t written = 0;
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &read, sizeof read, &written),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read, transposed);
  EXPECT_EQ(written, sizeof read);
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, 1),
            CUBLAS_STATUS_INVALID_VALUE);
}

// "sizeInBytes is 0: number of bytes needed to write full contents".
TEST_F(LtTest, AnAttributesSizeCanBeAsked) {
  size_t needed = 0;
  EXPECT_EQ(cublasLtMatrixLayoutGetAttribute(layout_, CUBLASLT_MATRIX_LAYOUT_ROWS, nullptr, 0, &needed),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(needed, sizeof(uint64_t));
}

TEST_F(LtTest, ADescriptorMayLiveInTheProgramsOwnMemory) {
  cublasLtMatrixLayoutOpaque_t own;
  ASSERT_EQ(cublasLtMatrixLayoutInit(&own, CUDA_R_16BF, kSize, kSize, kSize), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(&own), CUBLAS_STATUS_SUCCESS);
}

TEST_F(LtTest, AWorkspaceThatIsTooSmallIsRefused) {
  const size_t plenty = 64 << 20;
  ASSERT_EQ(cublasLtMatmulPreferenceSetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &plenty,
                                                 sizeof plenty),
            CUBLAS_STATUS_SUCCESS);
  constexpr uint64_t kDeep = 16384;
  cublasLtMatrixLayout_t a, b, d;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&a, CUDA_R_16BF, 64, kDeep, 64), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&b, CUDA_R_16BF, kDeep, 64, kDeep), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&d, CUDA_R_16BF, 64, 64, 64), CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  ASSERT_EQ(cublasLtMatmulAlgoGetHeuristic(light(), operation_, a, b, d, d, preference_, 1, &best, &found),
            CUBLAS_STATUS_SUCCESS);
  if (best.workspaceSize > 0) {
    EXPECT_EQ(
        cublasLtMatmul(light(), operation_, &one_, a_, a, b_, b, &zero_, c_, d, c_, d, &best.algo, nullptr, 0, stream_),
        CUBLAS_STATUS_INVALID_VALUE);
  }
  for (auto layout : {a, b, d}) EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace cublas_test
