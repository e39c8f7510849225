// The functions for matrix products whose types are parameters.
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm.h"

using namespace simgpu;

#define SIMGPU_GEMM_EX(name, Int)                                                                                  \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, Int k, const void* alpha, const void* A, cudaDataType Atype, Int lda,      \
                                 const void* B, cudaDataType Btype, Int ldb, const void* beta, void* C,            \
                                 cudaDataType Ctype, Int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {     \
    static const ApiFunction function{#name, ApiDomain::Library};                                                  \
    return enter(function, handle, [&](Handle& state) {                                                            \
      return gemm(state, {transa,                                                                                  \
                          transb,                                                                                  \
                          m,                                                                                       \
                          n,                                                                                       \
                          k,                                                                                       \
                          alpha,                                                                                   \
                          {A, Atype, lda},                                                                         \
                          {B, Btype, ldb},                                                                         \
                          beta,                                                                                    \
                          {C, Ctype, ldc},                                                                         \
                          allowed_compute(state, Atype, compute)});                                                \
    });                                                                                                            \
  }

#define SIMGPU_GEMM_BATCHED_EX(name, Int)                                                                              \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m,     \
                                 Int n, Int k, const void* alpha, const void* const A[], cudaDataType Atype, Int lda,  \
                                 const void* const B[], cudaDataType Btype, Int ldb, const void* beta,                 \
                                 void* const C[], cudaDataType Ctype, Int ldc, Int batch, cublasComputeType_t compute, \
                                 cublasGemmAlgo_t) {                                                                   \
    static const ApiFunction function{#name, ApiDomain::Library};                                                      \
    return enter(function, handle, [&](Handle& state) {                                                                \
      return gemm(state, {transa,                                                                                      \
                          transb,                                                                                      \
                          m,                                                                                           \
                          n,                                                                                           \
                          k,                                                                                           \
                          alpha,                                                                                       \
                          {A, Atype, lda},                                                                             \
                          {B, Btype, ldb},                                                                             \
                          beta,                                                                                        \
                          {C, Ctype, ldc},                                                                             \
                          allowed_compute(state, Atype, compute),                                                      \
                          Batching::Pointers,                                                                          \
                          batch});                                                                                     \
    });                                                                                                                \
  }

#define SIMGPU_GEMM_STRIDED_EX(name, Int)                                                                           \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m,  \
                                 Int n, Int k, const void* alpha, const void* A, cudaDataType Atype, Int lda,       \
                                 long long int strideA, const void* B, cudaDataType Btype, Int ldb,                 \
                                 long long int strideB, const void* beta, void* C, cudaDataType Ctype, Int ldc,     \
                                 long long int strideC, Int batch, cublasComputeType_t compute, cublasGemmAlgo_t) { \
    static const ApiFunction function{#name, ApiDomain::Library};                                                   \
    return enter(function, handle, [&](Handle& state) {                                                             \
      return gemm(state, {transa,                                                                                   \
                          transb,                                                                                   \
                          m,                                                                                        \
                          n,                                                                                        \
                          k,                                                                                        \
                          alpha,                                                                                    \
                          {A, Atype, lda, strideA},                                                                 \
                          {B, Btype, ldb, strideB},                                                                 \
                          beta,                                                                                     \
                          {C, Ctype, ldc, strideC},                                                                 \
                          allowed_compute(state, Atype, compute),                                                   \
                          Batching::Strided,                                                                        \
                          batch});                                                                                  \
    });                                                                                                             \
  }

// cublasSgemmEx and the like compute in Scalar's type, whatever the types of the matrices.
#define SIMGPU_SCALAR_GEMM_EX(name, Int, Scalar)                                                                   \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, Int k, const Scalar* alpha, const void* A, cudaDataType Atype, Int lda,    \
                                 const void* B, cudaDataType Btype, Int ldb, const Scalar* beta, void* C,          \
                                 cudaDataType Ctype, Int ldc) {                                                    \
    static const ApiFunction function{#name, ApiDomain::Library};                                                  \
    return enter(function, handle, [&](Handle& state) {                                                            \
      return gemm(state, {transa,                                                                                  \
                          transb,                                                                                  \
                          m,                                                                                       \
                          n,                                                                                       \
                          k,                                                                                       \
                          alpha,                                                                                   \
                          {A, Atype, lda},                                                                         \
                          {B, Btype, ldb},                                                                         \
                          beta,                                                                                    \
                          {C, Ctype, ldc},                                                                         \
                          allowed_compute(state, Atype, CUBLAS_COMPUTE_32F)});                                     \
    });                                                                                                            \
  }

namespace {

// The handle's math mode may allow single precision on faster units than the call names.
cublasComputeType_t allowed_compute(const Handle& handle, cudaDataType_t a, cublasComputeType_t compute) {
  const bool single = a == CUDA_R_32F || a == CUDA_C_32F;
  return compute == CUBLAS_COMPUTE_32F && single ? natural_compute(a, handle.math_mode) : compute;
}

}  // namespace

SIMGPU_GEMM_EX(cublasGemmEx, int)
SIMGPU_GEMM_EX(cublasGemmEx_64, int64_t)
SIMGPU_GEMM_BATCHED_EX(cublasGemmBatchedEx, int)
SIMGPU_GEMM_BATCHED_EX(cublasGemmBatchedEx_64, int64_t)
SIMGPU_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx, int)
SIMGPU_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx_64, int64_t)
SIMGPU_SCALAR_GEMM_EX(cublasSgemmEx, int, float)
SIMGPU_SCALAR_GEMM_EX(cublasSgemmEx_64, int64_t, float)
SIMGPU_SCALAR_GEMM_EX(cublasCgemmEx, int, cuComplex)
SIMGPU_SCALAR_GEMM_EX(cublasCgemmEx_64, int64_t, cuComplex)
SIMGPU_SCALAR_GEMM_EX(cublasCgemm3mEx, int, cuComplex)
SIMGPU_SCALAR_GEMM_EX(cublasCgemm3mEx_64, int64_t, cuComplex)
