// Multiplies matrices of float32 in each of the ways that say their size differently: one, in TF32, a batch, groups of
// one shape, groups of several; and some of int8.
#include <cublas_v2.h>

#include <vector>

#include "device_work.h"

namespace {

using programs::check;

constexpr int kBytes = 1 << 20;

void check(cublasStatus_t result, const char* what) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(result));
  std::_Exit(1);
}

// Products of groups of these shapes; all use the same matrices.
void multiply_groups(cublasHandle_t handle, float* matrix, const std::vector<int>& m, const std::vector<int>& n,
                     const std::vector<int>& k, const std::vector<int>& sizes) {
  const auto groups = static_cast<int>(m.size());
  int count = 0;
  for (const int size : sizes) count += size;
  const std::vector<float*> pointers(static_cast<size_t>(count), matrix);
  float** matrices;
  check(cudaMalloc(reinterpret_cast<void**>(&matrices), pointers.size() * sizeof(float*)), "cudaMalloc");
  check(cudaMemcpy(matrices, pointers.data(), pointers.size() * sizeof(float*), cudaMemcpyHostToDevice), "cudaMemcpy");
  const std::vector<cublasOperation_t> plain(m.size(), CUBLAS_OP_N);
  const std::vector<float> ones(m.size(), 1), zeros(m.size(), 0);
  check(
      cublasSgemmGroupedBatched(handle, plain.data(), plain.data(), m.data(), n.data(), k.data(), ones.data(), matrices,
                                m.data(), matrices, k.data(), zeros.data(), matrices, m.data(), groups, sizes.data()),
      "cublasSgemmGroupedBatched");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check(cudaFree(matrices), "cudaFree");
}

}  // namespace

int main() {
  constexpr int kM = 64, kN = 32, kK = 16;
  const float one = 1, zero = 0;
  float* matrix;
  cublasHandle_t handle;
  check(cudaMalloc(reinterpret_cast<void**>(&matrix), kBytes), "cudaMalloc");
  check(cublasCreate(&handle), "cublasCreate");
  for (const cublasMath_t mode : {CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH}) {
    check(cublasSetMathMode(handle, mode), "cublasSetMathMode");
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, matrix, kM, matrix, kK, &zero, matrix, kM),
          "cublasSgemm");
  }
  check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  check(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, matrix, kM, kM * kK, matrix, kK,
                                  kK * kN, &zero, matrix, kM, kM * kN, 4),
        "cublasSgemmStridedBatched");
  multiply_groups(handle, matrix, {kM, kM}, {kN, kN}, {kK, kK}, {2, 3});
  multiply_groups(handle, matrix, {kM, 128}, {kN, 8}, {kK, 4}, {2, 3});
  const int one_integer = 1, zero_integer = 0;
  check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one_integer, matrix, CUDA_R_8I, kM, matrix,
                     CUDA_R_8I, kK, &zero_integer, matrix, CUDA_R_32I, kM, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return 0;
}
