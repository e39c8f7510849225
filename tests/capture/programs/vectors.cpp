// Calls functions of cuBLAS other than matrix multiplications. Each of them launches a kernel or copies data.
#include <cublas_v2.h>

#include <vector>

#include "device_work.h"

namespace {

using programs::check;

void check(cublasStatus_t result, const char* what) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(result));
  std::_Exit(1);
}

}  // namespace

int main() {
  constexpr int kSize = 64;
  const float one = 1, zero = 0;
  float result = 0;
  std::vector<float> host(kSize * kSize);
  float *a, *x, *y;
  cublasHandle_t handle;
  cudaStream_t stream;
  check(cudaMalloc(reinterpret_cast<void**>(&a), sizeof(float) * kSize * kSize), "cudaMalloc");
  check(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(float) * kSize * kSize), "cudaMalloc");
  check(cudaMalloc(reinterpret_cast<void**>(&y), sizeof(float) * kSize * kSize), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cublasCreate(&handle), "cublasCreate");
  check(cublasSetStream(handle, stream), "cublasSetStream");
  check(cublasSetMatrix(kSize, kSize, sizeof(float), host.data(), kSize, a, kSize), "cublasSetMatrix");
  check(cublasSetVectorAsync(kSize, sizeof(float), host.data(), 1, x, 1, stream), "cublasSetVectorAsync");
  check(cublasSaxpy(handle, kSize, &one, x, 1, y, 1), "cublasSaxpy");
  check(cublasSscal(handle, kSize, &one, x, 1), "cublasSscal");
  check(cublasSdot(handle, kSize, x, 1, y, 1, &result), "cublasSdot");
  check(cublasSnrm2(handle, kSize, x, 1, &result), "cublasSnrm2");
  check(cublasSgemv(handle, CUBLAS_OP_N, kSize, kSize, &one, a, kSize, x, 1, &zero, y, 1), "cublasSgemv");
  check(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, kSize, kSize, &one, a, kSize, &zero, y, kSize),
        "cublasSsyrk");
  check(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, kSize, kSize, &one,
                    a, kSize, y, kSize),
        "cublasStrsm");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return 0;
}
