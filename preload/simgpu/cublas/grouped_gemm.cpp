// Grouped matrix products: several groups of equal shapes in one launch.
//
// As documented, pointer arrays are in device memory, as in the other batched calls, and the arrays of sizes,
// transpositions, leading dimensions and group sizes are on the host.
#include <algorithm>

#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm.h"
#include "simgpu/cublas/gemm_plan.h"

namespace simgpu {
namespace {

template <typename Int>
struct GroupArrays {
  const cublasOperation_t *transpose_a, *transpose_b;
  const Int *m, *n, *k;
  const void* alpha;
  const void* const* a;
  const Int* lda;
  const void* const* b;
  const Int* ldb;
  const void* beta;
  const void* const* c;
  const Int* ldc;
  const Int* sizes;
};

template <typename Int>
bool any_missing(const GroupArrays<Int>& of) {
  return !of.transpose_a || !of.transpose_b || !of.m || !of.n || !of.k || !of.alpha || !of.a || !of.lda || !of.b ||
         !of.ldb || !of.beta || !of.c || !of.ldc || !of.sizes;
}

// One kernel processes all groups, in the sum of their times.
template <typename Int>
cublasStatus_t grouped_gemm(const Handle& handle, const GroupArrays<Int>& of, Int groups,
                            const cudaDataType_t (&type)[3], cublasComputeType_t compute) {
  if (groups < 0 || (groups > 0 && any_missing(of))) return CUBLAS_STATUS_INVALID_VALUE;
  KernelPlan whole;
  for (Int i = 0; i < groups; ++i) {
    const GemmCall call{of.transpose_a[i],
                        of.transpose_b[i],
                        of.m[i],
                        of.n[i],
                        of.k[i],
                        of.alpha,
                        {of.a, type[0], of.lda[i]},
                        {of.b, type[1], of.ldb[i]},
                        of.beta,
                        {of.c, type[2], of.ldc[i]},
                        compute,
                        Batching::Pointers,
                        of.sizes[i]};
    const auto status = check_gemm(call);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if (call.m == 0 || call.n == 0 || call.batch == 0) continue;
    const GemmProblem problem{call.transpose_a, call.transpose_b, call.m,  call.n,  std::max<std::int64_t>(call.k, 1),
                              call.batch,       type[0],          type[1], type[2], compute};
    const auto part = plan_gemm(problem, {}).front();
    const auto sum = whole.work.duration + part.work.duration;
    const auto share = std::max(whole.work.sm_share, part.work.sm_share);
    whole = part;
    whole.work.duration = sum;
    whole.work.sm_share = share;
  }
  return whole.name.empty() ? CUBLAS_STATUS_SUCCESS : launch(whole, handle);
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_GROUPED(name, Int, Type, type_id)                                                                       \
  SIMGPU_API cublasStatus_t name(                                                                                      \
      cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], const Int m[],        \
      const Int n[], const Int k[], const Type alpha[], const Type* const A[], const Int lda[], const Type* const B[], \
      const Int ldb[], const Type beta[], Type* const C[], const Int ldc[], Int groups, const Int sizes[]) {           \
    static const ApiFunction function{#name, ApiDomain::Library};                                                      \
    return enter(function, handle, [&](Handle& state) {                                                                \
      const GroupArrays<Int> arrays{transa,                                                                            \
                                    transb,                                                                            \
                                    m,                                                                                 \
                                    n,                                                                                 \
                                    k,                                                                                 \
                                    alpha,                                                                             \
                                    reinterpret_cast<const void* const*>(A),                                           \
                                    lda,                                                                               \
                                    reinterpret_cast<const void* const*>(B),                                           \
                                    ldb,                                                                               \
                                    beta,                                                                              \
                                    reinterpret_cast<const void* const*>(C),                                           \
                                    ldc,                                                                               \
                                    sizes};                                                                            \
      return grouped_gemm(state, arrays, groups, {type_id, type_id, type_id},                                          \
                          natural_compute(type_id, state.math_mode));                                                  \
    });                                                                                                                \
  }

#define SIMGPU_GROUPED_EX(name, Int)                                                                                 \
  SIMGPU_API cublasStatus_t name(                                                                                    \
      cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], const Int m[],      \
      const Int n[], const Int k[], const void* alpha, const void* const A[], cudaDataType_t Atype, const Int lda[], \
      const void* const B[], cudaDataType_t Btype, const Int ldb[], const void* beta, void* const C[],               \
      cudaDataType_t Ctype, const Int ldc[], Int groups, const Int sizes[], cublasComputeType_t compute) {           \
    static const ApiFunction function{#name, ApiDomain::Library};                                                    \
    return enter(function, handle, [&](Handle& state) {                                                              \
      const GroupArrays<Int> arrays{transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, sizes};            \
      return grouped_gemm(state, arrays, groups, {Atype, Btype, Ctype}, compute);                                    \
    });                                                                                                              \
  }

SIMGPU_GROUPED(cublasSgemmGroupedBatched, int, float, CUDA_R_32F)
SIMGPU_GROUPED(cublasSgemmGroupedBatched_64, int64_t, float, CUDA_R_32F)
SIMGPU_GROUPED(cublasDgemmGroupedBatched, int, double, CUDA_R_64F)
SIMGPU_GROUPED(cublasDgemmGroupedBatched_64, int64_t, double, CUDA_R_64F)
SIMGPU_GROUPED_EX(cublasGemmGroupedBatchedEx, int)
SIMGPU_GROUPED_EX(cublasGemmGroupedBatchedEx_64, int64_t)
