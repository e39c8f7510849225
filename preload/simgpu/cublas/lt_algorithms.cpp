// cublasLt's algorithms: the heuristics that propose them, and their attributes.
#include <cstring>
#include <vector>

#include "simgpu/cublas/lt_attributes.h"
#include "simgpu/cublas/lt_handle.h"
#include "simgpu/cublas/lt_problem.h"
#include "simgpu/engine/call.h"

namespace simgpu {
namespace {

constexpr Attribute kConfiguration[] = {
    {CUBLASLT_ALGO_CONFIG_ID, offsetof(AlgorithmState, id), 4},
    {CUBLASLT_ALGO_CONFIG_TILE_ID, offsetof(AlgorithmState, tile_id), 4},
    {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, offsetof(AlgorithmState, slices), 4},
    {CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, offsetof(AlgorithmState, reduction_scheme), 4},
    {CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, offsetof(AlgorithmState, swizzling), 4},
    {CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, offsetof(AlgorithmState, custom_option), 4},
    {CUBLASLT_ALGO_CONFIG_STAGES_ID, offsetof(AlgorithmState, stages_id), 4},
    {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, offsetof(AlgorithmState, inner_shape_id), 2},
    {CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, offsetof(AlgorithmState, cluster_shape_id), 2},
};

struct Capabilities {
  std::int32_t yes = 1, no = 0;
  std::uint32_t reduction_mask = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  std::uint32_t pointer_modes = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
  std::uint32_t epilogues = 0x3ff;
  std::uint32_t alignment = 16;
  std::uint64_t numerics = CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
  std::uint32_t tile_ids[5] = {CUBLASLT_MATMUL_TILE_128x256, CUBLASLT_MATMUL_TILE_256x128, CUBLASLT_MATMUL_TILE_128x128,
                               CUBLASLT_MATMUL_TILE_64x128, CUBLASLT_MATMUL_TILE_64x64};
  std::uint32_t stages_ids[1] = {CUBLASLT_MATMUL_STAGES_64xAUTO};
};

constexpr Attribute kCapabilities[] = {
    {CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, offsetof(Capabilities, yes), 4},
    {CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, offsetof(Capabilities, reduction_mask), 4},
    {CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, offsetof(Capabilities, yes), 4},
    {CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, offsetof(Capabilities, yes), 4},
    {CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, offsetof(Capabilities, yes), 4},
    {CUBLASLT_ALGO_CAP_UPLO_SUPPORT, offsetof(Capabilities, no), 4},
    {CUBLASLT_ALGO_CAP_TILE_IDS, offsetof(Capabilities, tile_ids), sizeof(Capabilities::tile_ids)},
    {CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, offsetof(Capabilities, no), 4},
    {CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, offsetof(Capabilities, no), 4},
    {CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, offsetof(Capabilities, pointer_modes), 4},
    {CUBLASLT_ALGO_CAP_EPILOGUE_MASK, offsetof(Capabilities, epilogues), 4},
    {CUBLASLT_ALGO_CAP_STAGES_IDS, offsetof(Capabilities, stages_ids), sizeof(Capabilities::stages_ids)},
    {CUBLASLT_ALGO_CAP_LD_NEGATIVE, offsetof(Capabilities, no), 4},
    {CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, offsetof(Capabilities, numerics), 8},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, offsetof(Capabilities, alignment), 4},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, offsetof(Capabilities, alignment), 4},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, offsetof(Capabilities, alignment), 4},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, offsetof(Capabilities, alignment), 4},
    {CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT, offsetof(Capabilities, no), 4},
    {CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT, offsetof(Capabilities, no), 4},
};

cublasLtMatmulHeuristicResult_t result_for(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  cublasLtMatmulHeuristicResult_t result{};
  const auto state = algorithm_state(algorithm);
  std::memcpy(&result.algo, &state, sizeof state);
  result.workspaceSize = required_workspace(problem, algorithm);
  result.state = CUBLAS_STATUS_SUCCESS;
  result.wavesCount = wave_count(problem, algorithm);
  return result;
}

// The best one first, then the other tiles that the preference allows.
std::vector<cublasLtMatmulHeuristicResult_t> candidates(const GemmProblem& problem,
                                                        const MatmulPreference& preference) {
  const bool may_slice = preference.reduction_mask & CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  auto algorithm = best_algorithm(problem, may_slice ? preference.workspace_bytes : 0);
  std::vector<cublasLtMatmulHeuristicResult_t> results;
  for (int tile = 0; tile < static_cast<int>(gemm_tiles().size()); ++tile) {
    algorithm.tile = tile;
    const auto result = result_for(problem, algorithm);
    if (preference.most_waves > 0 && result.wavesCount > preference.most_waves) continue;
    results.push_back(result);
  }
  return results;
}

cublasStatus_t get_heuristic(const void* handle, const LtOperands& operands, cublasLtMatmulPreference_t preference,
                             int requested, cublasLtMatmulHeuristicResult_t* out, int* returned) {
  if (!lt_handle_device(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto* wanted = state_of<MatmulPreference>(preference);
  if (!wanted || requested <= 0 || !out || !returned) return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  GemmProblem problem;
  const auto status = read_problem(operands, &problem);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  for (const auto& result : candidates(problem, *wanted)) {
    if (*returned == requested) break;
    out[(*returned)++] = result;
  }
  return *returned > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t check(const void* handle, const LtOperands& operands, const cublasLtMatmulAlgo_t* algo,
                     cublasLtMatmulHeuristicResult_t* out) {
  if (!lt_handle_device(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  GemmProblem problem;
  GemmAlgorithm algorithm;
  auto status = out ? read_problem(operands, &problem) : CUBLAS_STATUS_INVALID_VALUE;
  if (status == CUBLAS_STATUS_SUCCESS) status = read_algorithm(algo, &algorithm);
  if (status == CUBLAS_STATUS_SUCCESS) *out = result_for(problem, algorithm);
  return status;
}

std::uint32_t state_bytes(const AlgorithmState* state) { return state ? sizeof(AlgorithmState) : 0; }

}  // namespace
}  // namespace simgpu

using namespace simgpu;

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                                         cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                         cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                         cublasLtMatmulPreference_t preference, int requested,
                                                         cublasLtMatmulHeuristicResult_t results[], int* returned) {
  static const ApiFunction function{"cublasLtMatmulAlgoGetHeuristic", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(get_heuristic(handle, {operation, a, b, c, d}, preference, requested, results, returned));
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                                  cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                  cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                  const cublasLtMatmulAlgo_t* algo,
                                                  cublasLtMatmulHeuristicResult_t* result) {
  static const ApiFunction function{"cublasLtMatmulAlgoCheck", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(check(handle, {operation, a, b, c, d}, algo, result));
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType_t,
                                                   cudaDataType_t, cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                                   int requested, int ids[], int* returned) {
  static const ApiFunction function{"cublasLtMatmulAlgoGetIds", ApiDomain::Library};
  ApiCall call(function);
  if (!lt_handle_device(handle)) return call.leave(CUBLAS_STATUS_NOT_INITIALIZED);
  if (requested <= 0 || !ids || !returned) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  ids[0] = algorithm_id();
  *returned = 1;
  return call.leave(CUBLAS_STATUS_SUCCESS);
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType_t,
                                                 cudaDataType_t, cudaDataType_t, cudaDataType_t, cudaDataType_t, int id,
                                                 cublasLtMatmulAlgo_t* algo) {
  static const ApiFunction function{"cublasLtMatmulAlgoInit", ApiDomain::Library};
  ApiCall call(function);
  if (!lt_handle_device(handle)) return call.leave(CUBLAS_STATUS_NOT_INITIALIZED);
  if (!algo || id != algorithm_id()) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  const auto state = algorithm_state({});
  std::memset(algo, 0, sizeof *algo);
  std::memcpy(algo, &state, sizeof state);
  return call.leave(CUBLAS_STATUS_SUCCESS);
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                            cublasLtMatmulAlgoCapAttributes_t attribute, void* value,
                                                            size_t bytes, size_t* written) {
  static const ApiFunction function{"cublasLtMatmulAlgoCapGetAttribute", ApiDomain::Library};
  static const Capabilities capabilities;
  ApiCall call(function);
  if (!state_of<AlgorithmState>(algo)) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  return call.leave(get_attribute(kCapabilities, &capabilities, sizeof capabilities, attribute, value, bytes, written));
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                               cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                               const void* value, size_t bytes) {
  static const ApiFunction function{"cublasLtMatmulAlgoConfigSetAttribute", ApiDomain::Library};
  ApiCall call(function);
  auto* state = state_of<AlgorithmState>(algo);
  return call.leave(set_attribute(kConfiguration, state, state_bytes(state), attribute, value, bytes));
}

SIMGPU_API cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                               cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                               void* value, size_t bytes, size_t* written) {
  static const ApiFunction function{"cublasLtMatmulAlgoConfigGetAttribute", ApiDomain::Library};
  ApiCall call(function);
  const auto* state = state_of<AlgorithmState>(algo);
  return call.leave(get_attribute(kConfiguration, state, state_bytes(state), attribute, value, bytes, written));
}
