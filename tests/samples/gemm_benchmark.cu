// Measures the throughput of matrix products by size and type, through cuBLAS and through cublasLt, with events.
//
// The timed work is queued behind an untimed copy, so that the host stays ahead of the device. The best of several
// rounds counts, because in it the host did stay ahead.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                           \
  do {                                                                        \
    const int status = static_cast<int>(call);                                \
    if (status != 0) {                                                        \
      std::fprintf(stderr, "%s:%d: status %d\n", __FILE__, __LINE__, status); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

namespace {

constexpr int kProducts = 10;
constexpr int kRounds = 5;
constexpr int kLargest = 8192;
// More than the largest matrix needs: copying this much keeps the device busy while the host queues the timed work.
constexpr size_t kMatrixBytes = size_t{1} << 30;
static_assert(kMatrixBytes >= sizeof(float) * kLargest * kLargest);
constexpr size_t kWorkspaceBytes = 32 << 20;

struct Buffers {
  void *a, *b, *c, *workspace;
};

template <typename Product>
double tera_flops(int n, cudaStream_t stream, const Buffers& buffers, Product product) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    CHECK(cudaMemcpyAsync(buffers.a, buffers.b, kMatrixBytes, cudaMemcpyDeviceToDevice, stream));
    product();
    CHECK(cudaEventRecord(begin, stream));
    for (int i = 0; i < kProducts; ++i) product();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    best = std::min(best, milliseconds);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return 2.0 * n * n * n * kProducts / (best * 1e9);
}

double single_precision(cublasHandle_t handle, int n, cudaStream_t stream, const Buffers& of) {
  const float one = 1, zero = 0;
  return tera_flops(n, stream, of, [&] {
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, static_cast<float*>(of.a), n,
                      static_cast<float*>(of.b), n, &zero, static_cast<float*>(of.c), n));
  });
}

double mixed_precision(cublasHandle_t handle, int n, cudaStream_t stream, const Buffers& of) {
  const float one = 1, zero = 0;
  return tera_flops(n, stream, of, [&] {
    CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, of.a, CUDA_R_16BF, n, of.b, CUDA_R_16BF, n,
                       &zero, of.c, CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  });
}

double through_lt(cublasLtHandle_t handle, int n, cudaStream_t stream, const Buffers& of) {
  const cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtMatmulDesc_t operation;
  CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
  cublasLtMatrixLayout_t layout;
  CHECK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_16BF, n, n, n));
  cublasLtMatmulPreference_t preference;
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                             sizeof kWorkspaceBytes));
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  CHECK(
      cublasLtMatmulAlgoGetHeuristic(handle, operation, layout, layout, layout, layout, preference, 1, &best, &found));
  const float one = 1, zero = 0;
  const double result = tera_flops(n, stream, of, [&] {
    CHECK(cublasLtMatmul(handle, operation, &one, of.a, layout, of.b, layout, &zero, of.c, layout, of.c, layout,
                         &best.algo, of.workspace, kWorkspaceBytes, stream));
  });
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  CHECK(cublasLtMatrixLayoutDestroy(layout));
  CHECK(cublasLtMatmulDescDestroy(operation));
  return result;
}

}  // namespace

int main() {
  Buffers buffers;
  for (void** matrix : {&buffers.a, &buffers.b, &buffers.c}) {
    CHECK(cudaMalloc(matrix, kMatrixBytes));
  }
  CHECK(cudaMalloc(&buffers.workspace, kWorkspaceBytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  CHECK(cublasSetStream(handle, stream));
  cublasLtHandle_t light;
  CHECK(cublasLtCreate(&light));

  std::printf("%8s %12s %12s %12s\n", "n", "fp32", "bf16", "bf16_lt");
  for (int n = 512; n <= kLargest; n *= 4) {
    std::printf("%8d %12.3f %12.3f %12.3f\n", n, single_precision(handle, n, stream, buffers),
                mixed_precision(handle, n, stream, buffers), through_lt(light, n, stream, buffers));
  }
  CHECK(cublasLtDestroy(light));
  CHECK(cublasDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  for (void* memory : {buffers.a, buffers.b, buffers.c, buffers.workspace}) CHECK(cudaFree(memory));
  return 0;
}
