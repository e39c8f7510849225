// Products of structured matrices, triangular solves, and the element-wise matrix operations.
//
// A structured product costs as much as a general product of the same shape, or half of it if only a triangle is
// computed.
#include <algorithm>

#include "simgpu/cublas/argument_checks.h"
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm_plan.h"
#include "simgpu/cublas/handle.h"

namespace simgpu {
namespace {

struct StructuredProduct {
  const char* kernel;
  cudaDataType_t type;
  std::int64_t m, n, k;
  double share;  // of the general product's arithmetic
  bool arguments_valid;
  std::int64_t batch = 1;
};

cublasStatus_t run_structured_product(const Handle& handle, const StructuredProduct& of) {
  if (of.m < 0 || of.n < 0 || of.k < 0 || of.batch < 0 || !of.arguments_valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (of.m == 0 || of.n == 0 || of.batch == 0) return CUBLAS_STATUS_SUCCESS;
  const auto k = std::max<std::int64_t>(of.k, 1);
  const GemmProblem problem{CUBLAS_OP_N, CUBLAS_OP_N, of.m,    of.n,    k,
                            of.batch,    of.type,     of.type, of.type, natural_compute(of.type, handle.math_mode)};
  auto plan = plan_gemm(problem, {}).front();
  plan.name = template_kernel(of.kernel, of.type);
  plan.has_cluster = false;
  plan.work.duration =
      std::max<Nanoseconds>(1, static_cast<Nanoseconds>(static_cast<double>(plan.work.duration) * of.share));
  return launch(plan, handle);
}

cublasStatus_t element_wise(const Handle& handle, const char* kernel, cudaDataType_t type, std::int64_t m,
                            std::int64_t n, int matrices_touched, bool arguments_valid) {
  if (m < 0 || n < 0 || !arguments_valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = m * n * element_bytes(type) * matrices_touched;
  return launch(streaming_kernel(template_kernel(kernel, type), m * n, bytes), handle);
}

std::int64_t rows_of(cublasOperation_t operation, std::int64_t plain, std::int64_t turned) {
  return operation == CUBLAS_OP_N ? plain : turned;
}

std::int64_t order_of(cublasSideMode_t side, std::int64_t m, std::int64_t n) {
  return side == CUBLAS_SIDE_LEFT ? m : n;
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_SYRK(name, Int, Type, type_id, Scalar)                                                                 \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
                                 const Scalar* alpha, const Type*, Int lda, const Scalar* beta, Type*, Int ldc) {     \
    SIMGPU_ENTER(name) {                                                                                              \
      const bool valid = is_triangle(uplo) && is_operation(trans) && alpha && beta && is_wide_enough(ldc, n) &&       \
                         is_wide_enough(lda, rows_of(trans, n, k));                                                   \
      return run_structured_product(state, {"syrk_kernel", type_id, n, n, k, 0.5, valid});                            \
    });                                                                                                               \
  }

#define SIMGPU_SYR2K(name, Int, Type, type_id, Beta, share)                                                           \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
                                 const Type* alpha, const Type*, Int lda, const Type*, Int ldb, const Beta* beta,     \
                                 Type*, Int ldc) {                                                                    \
    SIMGPU_ENTER(name) {                                                                                              \
      const bool valid = is_triangle(uplo) && is_operation(trans) && alpha && beta && is_wide_enough(ldc, n) &&       \
                         is_wide_enough(std::min(lda, ldb), rows_of(trans, n, k));                                    \
      return run_structured_product(state, {"syr2k_kernel", type_id, n, n, k, share, valid});                         \
    });                                                                                                               \
  }

#define SIMGPU_SYMM(name, Int, Type, type_id)                                                                       \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Int m, Int n, \
                                 const Type* alpha, const Type*, Int lda, const Type*, Int ldb, const Type* beta,   \
                                 Type*, Int ldc) {                                                                  \
    SIMGPU_ENTER(name) {                                                                                            \
      const bool valid = is_side(side) && is_triangle(uplo) && alpha && beta &&                                     \
                         is_wide_enough(lda, order_of(side, m, n)) && is_wide_enough(std::min(ldb, ldc), m);        \
      return run_structured_product(state, {"symm_kernel", type_id, m, n, order_of(side, m, n), 1, valid});         \
    });                                                                                                             \
  }

#define SIMGPU_TRSM(name, Int, Type, type_id)                                                                 \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,         \
                                 cublasOperation_t trans, cublasDiagType_t, Int m, Int n, const Type* alpha,  \
                                 const Type*, Int lda, Type*, Int ldb) {                                      \
    SIMGPU_ENTER(name) {                                                                                      \
      const bool valid = is_side(side) && is_triangle(uplo) && is_operation(trans) && alpha &&                \
                         is_wide_enough(lda, order_of(side, m, n)) && is_wide_enough(ldb, m);                 \
      return run_structured_product(state, {"trsm_kernel", type_id, m, n, order_of(side, m, n), 0.5, valid}); \
    });                                                                                                       \
  }

#define SIMGPU_TRSM_BATCHED(name, Int, Type, type_id)                                                               \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,               \
                                 cublasOperation_t trans, cublasDiagType_t, Int m, Int n, const Type* alpha,        \
                                 const Type* const[], Int lda, Type* const[], Int ldb, Int batch) {                 \
    SIMGPU_ENTER(name) {                                                                                            \
      const bool valid = is_side(side) && is_triangle(uplo) && is_operation(trans) && alpha &&                      \
                         is_wide_enough(lda, order_of(side, m, n)) && is_wide_enough(ldb, m);                       \
      return run_structured_product(state,                                                                          \
                                    {"trsm_batch_kernel", type_id, m, n, order_of(side, m, n), 0.5, valid, batch}); \
    });                                                                                                             \
  }

#define SIMGPU_TRMM(name, Int, Type, type_id)                                                                 \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,         \
                                 cublasOperation_t trans, cublasDiagType_t, Int m, Int n, const Type* alpha,  \
                                 const Type*, Int lda, const Type*, Int ldb, Type*, Int ldc) {                \
    SIMGPU_ENTER(name) {                                                                                      \
      const bool valid = is_side(side) && is_triangle(uplo) && is_operation(trans) && alpha &&                \
                         is_wide_enough(lda, order_of(side, m, n)) && is_wide_enough(std::min(ldb, ldc), m);  \
      return run_structured_product(state, {"trmm_kernel", type_id, m, n, order_of(side, m, n), 0.5, valid}); \
    });                                                                                                       \
  }

#define SIMGPU_GEAM(name, Int, Type, type_id)                                                                       \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m,  \
                                 Int n, const Type* alpha, const Type*, Int lda, const Type* beta, const Type*,     \
                                 Int ldb, Type*, Int ldc) {                                                         \
    SIMGPU_ENTER(name) {                                                                                            \
      const bool valid = is_operation(transa) && is_operation(transb) && alpha && beta && is_wide_enough(ldc, m) && \
                         is_wide_enough(lda, rows_of(transa, m, n)) && is_wide_enough(ldb, rows_of(transb, m, n));  \
      return element_wise(state, "geam_kernel", type_id, m, n, 3, valid);                                           \
    });                                                                                                             \
  }

#define SIMGPU_DGMM(name, Int, Type, type_id)                                                                      \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, Int m, Int n, const Type*, Int lda, \
                                 const Type*, Int, Type*, Int ldc) {                                               \
    SIMGPU_ENTER(name) {                                                                                           \
      return element_wise(state, "dgmm_kernel", type_id, m, n, 2,                                                  \
                          is_side(side) && is_wide_enough(std::min(lda, ldc), m));                                 \
    });                                                                                                            \
  }

#define SIMGPU_BOTH_WIDTHS(family, name, ...) family(name, int, __VA_ARGS__) family(name##_64, int64_t, __VA_ARGS__)

#define SIMGPU_LEVEL3(L, Type, type_id)                                           \
  SIMGPU_BOTH_WIDTHS(SIMGPU_SYRK, cublas##L##syrk_v2, Type, type_id, Type)        \
  SIMGPU_BOTH_WIDTHS(SIMGPU_SYR2K, cublas##L##syr2k_v2, Type, type_id, Type, 1.0) \
  SIMGPU_BOTH_WIDTHS(SIMGPU_SYR2K, cublas##L##syrkx, Type, type_id, Type, 0.5)    \
  SIMGPU_BOTH_WIDTHS(SIMGPU_SYMM, cublas##L##symm_v2, Type, type_id)              \
  SIMGPU_BOTH_WIDTHS(SIMGPU_TRSM, cublas##L##trsm_v2, Type, type_id)              \
  SIMGPU_BOTH_WIDTHS(SIMGPU_TRSM_BATCHED, cublas##L##trsmBatched, Type, type_id)  \
  SIMGPU_BOTH_WIDTHS(SIMGPU_TRMM, cublas##L##trmm_v2, Type, type_id)              \
  SIMGPU_BOTH_WIDTHS(SIMGPU_GEAM, cublas##L##geam, Type, type_id)                 \
  SIMGPU_BOTH_WIDTHS(SIMGPU_DGMM, cublas##L##dgmm, Type, type_id)

SIMGPU_LEVEL3(S, float, CUDA_R_32F)
SIMGPU_LEVEL3(D, double, CUDA_R_64F)
SIMGPU_LEVEL3(C, cuComplex, CUDA_C_32F)
SIMGPU_LEVEL3(Z, cuDoubleComplex, CUDA_C_64F)

SIMGPU_BOTH_WIDTHS(SIMGPU_SYRK, cublasCherk_v2, cuComplex, CUDA_C_32F, float)
SIMGPU_BOTH_WIDTHS(SIMGPU_SYRK, cublasZherk_v2, cuDoubleComplex, CUDA_C_64F, double)
SIMGPU_BOTH_WIDTHS(SIMGPU_SYR2K, cublasCher2k_v2, cuComplex, CUDA_C_32F, float, 1.0)
SIMGPU_BOTH_WIDTHS(SIMGPU_SYR2K, cublasZher2k_v2, cuDoubleComplex, CUDA_C_64F, double, 1.0)
SIMGPU_BOTH_WIDTHS(SIMGPU_SYMM, cublasChemm_v2, cuComplex, CUDA_C_32F)
SIMGPU_BOTH_WIDTHS(SIMGPU_SYMM, cublasZhemm_v2, cuDoubleComplex, CUDA_C_64F)

#undef SIMGPU_BOTH_WIDTHS
