// The request of a cublasLt matmul, and whether it is supported.
#pragma once

#include <cublasLt.h>

#include "simgpu/cublas/gemm_plan.h"
#include "simgpu/cublas/lt_descriptors.h"

namespace simgpu {

// The state of a cublasLtMatmulAlgo_t.
struct AlgorithmState {
  static constexpr std::uint32_t kKind = 0x414c474f;
  DescriptorHead head{kKind, sizeof(cublasLtMatmulAlgo_t)};
  std::int32_t id = 0;
  std::uint32_t tile_id = CUBLASLT_MATMUL_TILE_UNDEFINED;
  std::int32_t slices = 1;
  std::uint32_t reduction_scheme = CUBLASLT_REDUCTION_SCHEME_NONE;
  std::uint32_t swizzling = 0;
  std::uint32_t custom_option = 0;
  std::uint32_t stages_id = 0;
  std::uint16_t inner_shape_id = 0;
  std::uint16_t cluster_shape_id = 0;
};
static_assert(sizeof(AlgorithmState) <= sizeof(cublasLtMatmulAlgo_t));

struct LtOperands {
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t a, b, c, d;
};

// INVALID_VALUE if descriptors are missing, destroyed or in conflict; NOT_SUPPORTED if the device or the library has no
// kernel for the types or the layout.
cublasStatus_t read_problem(const LtOperands& operands, GemmProblem* out);

AlgorithmState algorithm_state(const GemmAlgorithm& algorithm);
// INVALID_VALUE if it is no algorithm of this device.
cublasStatus_t read_algorithm(const cublasLtMatmulAlgo_t* algo, GemmAlgorithm* out);

// The one family of algorithms that a device has, for all types.
int algorithm_id();

}  // namespace simgpu
