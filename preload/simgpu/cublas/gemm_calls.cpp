// The functions for single and batched matrix products of one named type.
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm.h"

using namespace simgpu;

#define SIMGPU_GEMM(name, Int, Type, type_id)                                                                      \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, Int k, const Type* alpha, const Type* A, Int lda, const Type* B, Int ldb,  \
                                 const Type* beta, Type* C, Int ldc) {                                             \
    static const ApiFunction function{#name, ApiDomain::Library};                                                  \
    return enter(function, handle, [&](Handle& state) {                                                            \
      return gemm(state, {transa,                                                                                  \
                          transb,                                                                                  \
                          m,                                                                                       \
                          n,                                                                                       \
                          k,                                                                                       \
                          alpha,                                                                                   \
                          {A, type_id, lda},                                                                       \
                          {B, type_id, ldb},                                                                       \
                          beta,                                                                                    \
                          {C, type_id, ldc},                                                                       \
                          natural_compute(type_id, state.math_mode)});                                             \
    });                                                                                                            \
  }

#define SIMGPU_GEMM_BATCHED(name, Int, Type, type_id)                                                              \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, Int k, const Type* alpha, const Type* const A[], Int lda,                  \
                                 const Type* const B[], Int ldb, const Type* beta, Type* const C[], Int ldc,       \
                                 Int batch) {                                                                      \
    static const ApiFunction function{#name, ApiDomain::Library};                                                  \
    return enter(function, handle, [&](Handle& state) {                                                            \
      return gemm(state, {transa,                                                                                  \
                          transb,                                                                                  \
                          m,                                                                                       \
                          n,                                                                                       \
                          k,                                                                                       \
                          alpha,                                                                                   \
                          {A, type_id, lda},                                                                       \
                          {B, type_id, ldb},                                                                       \
                          beta,                                                                                    \
                          {C, type_id, ldc},                                                                       \
                          natural_compute(type_id, state.math_mode),                                               \
                          Batching::Pointers,                                                                      \
                          batch});                                                                                 \
    });                                                                                                            \
  }

#define SIMGPU_GEMM_STRIDED(name, Int, Type, type_id)                                                               \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m,  \
                                 Int n, Int k, const Type* alpha, const Type* A, Int lda, long long int strideA,    \
                                 const Type* B, Int ldb, long long int strideB, const Type* beta, Type* C, Int ldc, \
                                 long long int strideC, Int batch) {                                                \
    static const ApiFunction function{#name, ApiDomain::Library};                                                   \
    return enter(function, handle, [&](Handle& state) {                                                             \
      return gemm(state, {transa,                                                                                   \
                          transb,                                                                                   \
                          m,                                                                                        \
                          n,                                                                                        \
                          k,                                                                                        \
                          alpha,                                                                                    \
                          {A, type_id, lda, strideA},                                                               \
                          {B, type_id, ldb, strideB},                                                               \
                          beta,                                                                                     \
                          {C, type_id, ldc, strideC},                                                               \
                          natural_compute(type_id, state.math_mode),                                                \
                          Batching::Strided,                                                                        \
                          batch});                                                                                  \
    });                                                                                                             \
  }

#define SIMGPU_BOTH_WIDTHS(family, name, Type, type_id) \
  family(name, int, Type, type_id) family(name##_64, int64_t, Type, type_id)

SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasSgemm_v2, float, CUDA_R_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasDgemm_v2, double, CUDA_R_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasCgemm_v2, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasZgemm_v2, cuDoubleComplex, CUDA_C_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasHgemm, __half, CUDA_R_16F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasCgemm3m, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM, cublasZgemm3m, cuDoubleComplex, CUDA_C_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasSgemmBatched, float, CUDA_R_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasDgemmBatched, double, CUDA_R_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasCgemmBatched, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasZgemmBatched, cuDoubleComplex, CUDA_C_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasHgemmBatched, __half, CUDA_R_16F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_BATCHED, cublasCgemm3mBatched, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasSgemmStridedBatched, float, CUDA_R_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasDgemmStridedBatched, double, CUDA_R_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasCgemmStridedBatched, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasZgemmStridedBatched, cuDoubleComplex, CUDA_C_64F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasHgemmStridedBatched, __half, CUDA_R_16F)
SIMGPU_BOTH_WIDTHS(SIMGPU_GEMM_STRIDED, cublasCgemm3mStridedBatched, cuComplex, CUDA_C_32F)

#undef SIMGPU_BOTH_WIDTHS
