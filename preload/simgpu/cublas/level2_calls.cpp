// Products of a matrix and a vector: kernels bound by the bytes of the matrix.
#include <algorithm>

#include "simgpu/cublas/argument_checks.h"
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/handle.h"

namespace simgpu {
namespace {

struct MatrixVector {
  const char* kernel;
  cudaDataType_t type;
  std::int64_t m, n, leading;
  std::int64_t incx, incy;
  bool scalars_given;
  int matrix_passes = 1;  // 2 if it is read and written
  std::int64_t batch = 1;
};

cublasStatus_t run_matrix_vector(const Handle& handle, const MatrixVector& of) {
  if (of.m < 0 || of.n < 0 || of.batch < 0 || of.incx == 0 || of.incy == 0 || !of.scalars_given ||
      of.leading < std::max<std::int64_t>(1, of.m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (of.m == 0 || of.n == 0 || of.batch == 0) return CUBLAS_STATUS_SUCCESS;
  const auto touched = (of.m * of.n * of.matrix_passes + of.m + of.n) * of.batch;
  return launch(
      streaming_kernel(template_kernel(of.kernel, of.type), of.m * of.n * of.batch, touched * element_bytes(of.type)),
      handle);
}

const char* gemv_kernel(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? "gemvNSP_kernel" : "gemv2T_kernel_val";
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_GEMV(name, Int, Type, type_id)                                                                      \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Type* alpha,  \
                                 const Type*, Int lda, const Type*, Int incx, const Type* beta, Type*, Int incy) { \
    SIMGPU_ENTER(name) {                                                                                           \
      return run_matrix_vector(                                                                                    \
          state, {gemv_kernel(trans), type_id, m, n, lda, incx, incy, alpha && beta && is_operation(trans)});      \
    });                                                                                                            \
  }

#define SIMGPU_GEMV_BATCHED(name, Int, In, in_id, Out, Scalar)                                                        \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Scalar* alpha,   \
                                 const In* const[], Int lda, const In* const[], Int incx, const Scalar* beta,         \
                                 Out* const[], Int incy, Int batch) {                                                 \
    SIMGPU_ENTER(name) {                                                                                              \
      return run_matrix_vector(                                                                                       \
          state, {gemv_kernel(trans), in_id, m, n, lda, incx, incy, alpha && beta && is_operation(trans), 1, batch}); \
    });                                                                                                               \
  }

#define SIMGPU_GEMV_STRIDED(name, Int, In, in_id, Out, Scalar)                                                        \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Scalar* alpha,   \
                                 const In*, Int lda, long long int, const In*, Int incx, long long int,               \
                                 const Scalar* beta, Out*, Int incy, long long int, Int batch) {                      \
    SIMGPU_ENTER(name) {                                                                                              \
      return run_matrix_vector(                                                                                       \
          state, {gemv_kernel(trans), in_id, m, n, lda, incx, incy, alpha && beta && is_operation(trans), 1, batch}); \
    });                                                                                                               \
  }

#define SIMGPU_GER(name, Int, Type, type_id)                                                                    \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int m, Int n, const Type* alpha, const Type*, Int incx, \
                                 const Type*, Int incy, Type*, Int lda) {                                       \
    SIMGPU_ENTER(name) {                                                                                        \
      return run_matrix_vector(state, {"ger_kernel", type_id, m, n, lda, incx, incy, alpha != nullptr, 2});     \
    });                                                                                                         \
  }

#define SIMGPU_SYMV(name, Int, Type, type_id)                                                                         \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Type* alpha, const Type*, \
                                 Int lda, const Type*, Int incx, const Type* beta, Type*, Int incy) {                 \
    SIMGPU_ENTER(name) {                                                                                              \
      return run_matrix_vector(state,                                                                                 \
                               {"symv_kernel", type_id, n, n, lda, incx, incy, alpha && beta && is_triangle(uplo)});  \
    });                                                                                                               \
  }

#define SIMGPU_TRIANGULAR(name, Int, Type, type_id, kernel)                                                         \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,             \
                                 cublasDiagType_t, Int n, const Type*, Int lda, Type*, Int incx) {                  \
    SIMGPU_ENTER(name) {                                                                                            \
      return run_matrix_vector(state,                                                                               \
                               {kernel, type_id, n, n, lda, incx, incx, is_operation(trans) && is_triangle(uplo)}); \
    });                                                                                                             \
  }

#define SIMGPU_LEVEL2(L, Type, type_id)                                                     \
  SIMGPU_GEMV(cublas##L##gemv_v2, int, Type, type_id)                                       \
  SIMGPU_GEMV(cublas##L##gemv_v2_64, int64_t, Type, type_id)                                \
  SIMGPU_GEMV_BATCHED(cublas##L##gemvBatched, int, Type, type_id, Type, Type)               \
  SIMGPU_GEMV_BATCHED(cublas##L##gemvBatched_64, int64_t, Type, type_id, Type, Type)        \
  SIMGPU_GEMV_STRIDED(cublas##L##gemvStridedBatched, int, Type, type_id, Type, Type)        \
  SIMGPU_GEMV_STRIDED(cublas##L##gemvStridedBatched_64, int64_t, Type, type_id, Type, Type) \
  SIMGPU_SYMV(cublas##L##symv_v2, int, Type, type_id)                                       \
  SIMGPU_SYMV(cublas##L##symv_v2_64, int64_t, Type, type_id)                                \
  SIMGPU_TRIANGULAR(cublas##L##trmv_v2, int, Type, type_id, "trmv_kernel")                  \
  SIMGPU_TRIANGULAR(cublas##L##trmv_v2_64, int64_t, Type, type_id, "trmv_kernel")           \
  SIMGPU_TRIANGULAR(cublas##L##trsv_v2, int, Type, type_id, "trsv_kernel")                  \
  SIMGPU_TRIANGULAR(cublas##L##trsv_v2_64, int64_t, Type, type_id, "trsv_kernel")

SIMGPU_LEVEL2(S, float, CUDA_R_32F)
SIMGPU_LEVEL2(D, double, CUDA_R_64F)
SIMGPU_LEVEL2(C, cuComplex, CUDA_C_32F)
SIMGPU_LEVEL2(Z, cuDoubleComplex, CUDA_C_64F)

#define SIMGPU_MIXED_GEMV(family, kind)                                                                           \
  family(cublasHSHgemv##kind, int, __half, CUDA_R_16F, __half, float)                                             \
      family(cublasHSHgemv##kind##_64, int64_t, __half, CUDA_R_16F, __half, float)                                \
          family(cublasHSSgemv##kind, int, __half, CUDA_R_16F, float, float)                                      \
              family(cublasHSSgemv##kind##_64, int64_t, __half, CUDA_R_16F, float, float)                         \
                  family(cublasTSTgemv##kind, int, __nv_bfloat16, CUDA_R_16BF, __nv_bfloat16, float)              \
                      family(cublasTSTgemv##kind##_64, int64_t, __nv_bfloat16, CUDA_R_16BF, __nv_bfloat16, float) \
                          family(cublasTSSgemv##kind, int, __nv_bfloat16, CUDA_R_16BF, float, float)              \
                              family(cublasTSSgemv##kind##_64, int64_t, __nv_bfloat16, CUDA_R_16BF, float, float)

SIMGPU_MIXED_GEMV(SIMGPU_GEMV_BATCHED, Batched)
SIMGPU_MIXED_GEMV(SIMGPU_GEMV_STRIDED, StridedBatched)

SIMGPU_GER(cublasSger_v2, int, float, CUDA_R_32F)
SIMGPU_GER(cublasSger_v2_64, int64_t, float, CUDA_R_32F)
SIMGPU_GER(cublasDger_v2, int, double, CUDA_R_64F)
SIMGPU_GER(cublasDger_v2_64, int64_t, double, CUDA_R_64F)
SIMGPU_GER(cublasCgeru_v2, int, cuComplex, CUDA_C_32F)
SIMGPU_GER(cublasCgeru_v2_64, int64_t, cuComplex, CUDA_C_32F)
SIMGPU_GER(cublasCgerc_v2, int, cuComplex, CUDA_C_32F)
SIMGPU_GER(cublasCgerc_v2_64, int64_t, cuComplex, CUDA_C_32F)
SIMGPU_GER(cublasZgeru_v2, int, cuDoubleComplex, CUDA_C_64F)
SIMGPU_GER(cublasZgeru_v2_64, int64_t, cuDoubleComplex, CUDA_C_64F)
SIMGPU_GER(cublasZgerc_v2, int, cuDoubleComplex, CUDA_C_64F)
SIMGPU_GER(cublasZgerc_v2_64, int64_t, cuDoubleComplex, CUDA_C_64F)
