// Allocates, multiplies with cuBLAS and cublasLt, and prints every status.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstdio>

namespace {

void print(const char* what, int status) { std::printf("%s: %d\n", what, status); }

void multiply_with_cublas(float* memory, cudaStream_t stream) {
  const float one = 1;
  cublasHandle_t handle = nullptr;
  print("cublasCreate", cublasCreate(&handle));
  print("cublasSetStream", cublasSetStream(handle, stream));
  print("cublasSgemm",
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 32, 16, &one, memory, 64, memory, 16, &one, memory, 64));
}

void multiply_with_cublaslt(float* memory, cudaStream_t stream) {
  const float one = 1;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  print("cublasLtCreate", cublasLtCreate(&handle));
  print("cublasLtMatmulDescCreate", cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  print("cublasLtMatrixLayoutCreate", cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 48, 48, 48));
  print("cublasLtMatmul", cublasLtMatmul(handle, operation, &one, memory, layout, memory, layout, &one, memory, layout,
                                         memory, layout, nullptr, nullptr, 0, stream));
}

}  // namespace

int main() {
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  print("cudaMalloc", cudaMalloc(&memory, 1 << 20));
  print("cudaStreamCreate", cudaStreamCreate(&stream));
  print("cudaMemsetAsync", cudaMemsetAsync(memory, 0, 1 << 20, stream));
  multiply_with_cublas(static_cast<float*>(memory), stream);
  multiply_with_cublaslt(static_cast<float*>(memory), stream);
  print("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  std::fflush(stdout);
  return 0;
}
