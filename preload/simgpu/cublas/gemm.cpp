#include "simgpu/cublas/gemm.h"

#include <cublasLt.h>

#include <algorithm>

#include "simgpu/cublas/argument_checks.h"
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm_plan.h"
#include "simgpu/cublas/lt_descriptors.h"

namespace simgpu {
namespace {

GemmProblem problem_of(const GemmCall& call) {
  return {call.transpose_a, call.transpose_b, call.m,      call.n,      call.k,
          call.batch,       call.a.type,      call.b.type, call.c.type, call.compute};
}

// Filled in here, not by cublasLt's functions: the real library does not call those either.
MatrixLayout layout_of(const GemmOperand& operand, std::int64_t rows, std::int64_t columns, const GemmCall& call) {
  MatrixLayout layout;
  layout.head = {MatrixLayout::kKind, sizeof(cublasLtMatrixLayoutOpaque_t)};
  layout.type = static_cast<std::uint32_t>(operand.type);
  layout.rows = static_cast<std::uint64_t>(rows);
  layout.columns = static_cast<std::uint64_t>(columns);
  layout.leading = operand.leading;
  layout.batch = static_cast<std::int32_t>(call.batch);
  layout.stride = operand.stride;
  return layout;
}

cublasStatus_t multiply_with_lt(const Handle& handle, const GemmCall& call) {
  cublasLtMatmulDescOpaque_t operation{};
  auto* descriptor = new (&operation) MatmulDescriptor;
  descriptor->head = {MatmulDescriptor::kKind, sizeof operation};
  descriptor->compute_type = call.compute;
  descriptor->scale_type = scale_type(call.compute, call.c.type);
  descriptor->pointer_mode = handle.pointer_mode;
  descriptor->transpose_a = call.transpose_a;
  descriptor->transpose_b = call.transpose_b;
  const bool a_turned = call.transpose_a != CUBLAS_OP_N;
  const bool b_turned = call.transpose_b != CUBLAS_OP_N;
  cublasLtMatrixLayoutOpaque_t a{}, b{}, c{};
  new (&a) MatrixLayout(layout_of(call.a, a_turned ? call.k : call.m, a_turned ? call.m : call.k, call));
  new (&b) MatrixLayout(layout_of(call.b, b_turned ? call.n : call.k, b_turned ? call.k : call.n, call));
  new (&c) MatrixLayout(layout_of(call.c, call.m, call.n, call));
  auto* result = const_cast<void*>(call.c.data);
  // A cublas handle is a cublasLt handle, as documented.
  return cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(handle.self), &operation, call.alpha, call.a.data, &a,
                        call.b.data, &b, call.beta, result, &c, result, &c, nullptr, handle.workspace,
                        handle.workspace_bytes, handle.stream);
}

bool goes_to_lt(const GemmCall& call) {
  const auto math = math_type(call.a.type, call.compute);
  return call.batching != Batching::Pointers && call.k > 0 && math != MathType::Fp32 && math != MathType::Fp64;
}

}  // namespace

cublasStatus_t check_gemm(const GemmCall& call) {
  if (!is_operation(call.transpose_a) || !is_operation(call.transpose_b)) return CUBLAS_STATUS_INVALID_VALUE;
  if (call.m < 0 || call.n < 0 || call.k < 0 || call.batch < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_wide_enough(call.a.leading, call.transpose_a == CUBLAS_OP_N ? call.m : call.k) ||
      !is_wide_enough(call.b.leading, call.transpose_b == CUBLAS_OP_N ? call.k : call.n) ||
      !is_wide_enough(call.c.leading, call.m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!call.alpha || !call.beta) return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_supported(call.compute, call.a.type, call.b.type, call.c.type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool empty = call.m == 0 || call.n == 0 || call.batch == 0;
  if (!empty && (!call.c.data || (call.k > 0 && (!call.a.data || !call.b.data)))) return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t gemm(const Handle& handle, const GemmCall& call) {
  const auto status = check_gemm(call);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (call.m == 0 || call.n == 0 || call.batch == 0) return CUBLAS_STATUS_SUCCESS;
  return goes_to_lt(call) ? multiply_with_lt(handle, call) : launch_gemm(handle, call);
}

cublasStatus_t launch_gemm(const Handle& handle, const GemmCall& call) {
  auto problem = problem_of(call);
  problem.k = std::max<std::int64_t>(problem.k, 1);  // k = 0 still scales C
  const auto algorithm = best_algorithm(problem, handle.workspace ? handle.workspace_bytes : 0);
  for (const auto& kernel : plan_gemm(problem, algorithm)) {
    const auto status = launch(kernel, handle);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace simgpu
