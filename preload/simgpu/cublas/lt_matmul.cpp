// cublasLtMatmul and cublasLtMatrixTransform: the functions of cublasLt that use the device.
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/lt_handle.h"
#include "simgpu/cublas/lt_problem.h"
#include "simgpu/engine/call.h"

namespace simgpu {
namespace {

struct Workspace {
  const void* address;
  std::size_t bytes;
};

cublasStatus_t multiply(int device, const LtOperands& operands, const cublasLtMatmulAlgo_t* algo,
                        const Workspace& workspace, cudaStream_t stream) {
  GemmProblem problem;
  auto status = read_problem(operands, &problem);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const std::size_t usable = workspace.address ? workspace.bytes : 0;
  auto algorithm = best_algorithm(problem, usable);
  if (algo) status = read_algorithm(algo, &algorithm);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (required_workspace(problem, algorithm) > usable) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto& kernel : plan_gemm(problem, algorithm)) {
    status = launch(kernel, device, stream);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

bool has_shape(const MatrixLayout& layout, std::int32_t transpose, const MatrixLayout& result) {
  const bool turned = transpose != CUBLAS_OP_N;
  return (turned ? layout.columns : layout.rows) == result.rows &&
         (turned ? layout.rows : layout.columns) == result.columns && layout.batch == result.batch;
}

std::int64_t element_count(const MatrixLayout& layout) {
  return static_cast<std::int64_t>(layout.rows * layout.columns) * layout.batch;
}

struct TransformInput {
  const void* data;
  const MatrixLayout* layout;
  std::int32_t transpose;
};

cublasStatus_t transform(int device, const TransformInput& a, const TransformInput& b, const void* c,
                         const MatrixLayout* result, cudaStream_t stream) {
  if (!c || !result || !a.data) return CUBLAS_STATUS_INVALID_VALUE;
  std::int64_t bytes = element_count(*result) * element_bytes(static_cast<cudaDataType_t>(result->type));
  for (const auto& input : {a, b}) {
    if (!input.data) continue;
    if (!input.layout || !has_shape(*input.layout, input.transpose, *result)) return CUBLAS_STATUS_INVALID_VALUE;
    bytes += element_count(*input.layout) * element_bytes(static_cast<cudaDataType_t>(input.layout->type));
  }
  const auto name = template_kernel("transform_kernel", static_cast<cudaDataType_t>(result->type));
  return launch(streaming_kernel(name, element_count(*result), bytes), device, stream);
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

SIMGPU_API cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha,
                                         const void* A, cublasLtMatrixLayout_t a, const void* B,
                                         cublasLtMatrixLayout_t b, const void* beta, const void*,
                                         cublasLtMatrixLayout_t c, void* D, cublasLtMatrixLayout_t d,
                                         const cublasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes,
                                         cudaStream_t stream) {
  static const ApiFunction function{"cublasLtMatmul", ApiDomain::Library};
  ApiCall call(function);
  const auto device = lt_handle_device(handle);
  if (!device) return call.leave(CUBLAS_STATUS_NOT_INITIALIZED);
  if (!alpha || !beta || !A || !B || !D) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  return call.leave(multiply(*device, {operation, a, b, c, d}, algo, {workspace, workspace_bytes}, stream));
}

SIMGPU_API cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t operation,
                                                  const void* alpha, const void* A, cublasLtMatrixLayout_t a,
                                                  const void* beta, const void* B, cublasLtMatrixLayout_t b, void* C,
                                                  cublasLtMatrixLayout_t c, cudaStream_t stream) {
  static const ApiFunction function{"cublasLtMatrixTransform", ApiDomain::Library};
  ApiCall call(function);
  const auto device = lt_handle_device(handle);
  if (!device) return call.leave(CUBLAS_STATUS_NOT_INITIALIZED);
  const auto* descriptor = state_of<TransformDescriptor>(operation);
  if (!descriptor || !alpha || (B && !beta)) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  return call.leave(transform(*device, {A, state_of<MatrixLayout>(a), descriptor->transpose_a},
                              {B, state_of<MatrixLayout>(b), descriptor->transpose_b}, C, state_of<MatrixLayout>(c),
                              stream));
}
