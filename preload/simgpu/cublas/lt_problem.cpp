#include "simgpu/cublas/lt_problem.h"

#include <algorithm>

#include "simgpu/cublas/data_type.h"

namespace simgpu {
namespace {

constexpr int kHopperAlgorithm = 66;
constexpr int kAmpereAlgorithm = 31;

struct Layouts {
  const MatrixLayout *a, *b, *c, *d;
};

bool is_plausible(const MatrixLayout& layout) {
  if (layout.rows == 0 || layout.columns == 0 || layout.batch < 1) return false;
  if (layout.order == CUBLASLT_ORDER_COL) return layout.leading >= static_cast<std::int64_t>(layout.rows);
  if (layout.order == CUBLASLT_ORDER_ROW) return layout.leading >= static_cast<std::int64_t>(layout.columns);
  return layout.leading > 0;
}

bool is_operation(std::int32_t value) { return value >= CUBLAS_OP_N && value <= CUBLAS_OP_C; }

std::uint64_t rows_of(const MatrixLayout& layout, std::int32_t transpose) {
  return transpose == CUBLAS_OP_N ? layout.rows : layout.columns;
}

std::uint64_t columns_of(const MatrixLayout& layout, std::int32_t transpose) {
  return transpose == CUBLAS_OP_N ? layout.columns : layout.rows;
}

bool agree(const MatmulDescriptor& operation, const Layouts& of) {
  return rows_of(*of.a, operation.transpose_a) == of.d->rows &&
         columns_of(*of.a, operation.transpose_a) == rows_of(*of.b, operation.transpose_b) &&
         columns_of(*of.b, operation.transpose_b) == of.d->columns && of.c->rows == of.d->rows &&
         of.c->columns == of.d->columns && of.a->batch == of.d->batch && of.b->batch == of.d->batch &&
         of.c->batch == of.d->batch;
}

// fp8 needs tensor cores of compute capability 8.9. Up to 9.x they need A transposed, B not transposed, and rows of
// whole 16 bytes.
bool fp8_fits(const MatmulDescriptor& operation, const Layouts& of) {
  const auto& profile = device_profile();
  if (profile.major * 10 + profile.minor < 89) return false;
  if (profile.major < 10 && (operation.transpose_a != CUBLAS_OP_T || operation.transpose_b != CUBLAS_OP_N))
    return false;
  return of.a->leading % 16 == 0 && of.b->leading % 16 == 0;
}

GemmProblem problem_of(const MatmulDescriptor& operation, const Layouts& of) {
  GemmProblem problem;
  problem.transpose_a = static_cast<cublasOperation_t>(operation.transpose_a);
  problem.transpose_b = static_cast<cublasOperation_t>(operation.transpose_b);
  problem.m = static_cast<std::int64_t>(of.d->rows);
  problem.n = static_cast<std::int64_t>(of.d->columns);
  problem.k = static_cast<std::int64_t>(columns_of(*of.a, operation.transpose_a));
  problem.batch = of.d->batch;
  problem.a = static_cast<cudaDataType_t>(of.a->type);
  problem.b = static_cast<cudaDataType_t>(of.b->type);
  problem.c = static_cast<cudaDataType_t>(of.d->type);
  problem.compute = static_cast<cublasComputeType_t>(operation.compute_type);
  return problem;
}

}  // namespace

cublasStatus_t read_problem(const LtOperands& operands, GemmProblem* out) {
  const auto* operation = state_of<MatmulDescriptor>(operands.operation);
  const Layouts layouts{state_of<MatrixLayout>(operands.a), state_of<MatrixLayout>(operands.b),
                        state_of<MatrixLayout>(operands.c), state_of<MatrixLayout>(operands.d)};
  if (!operation || !layouts.a || !layouts.b || !layouts.c || !layouts.d) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto* layout : {layouts.a, layouts.b, layouts.c, layouts.d}) {
    if (!is_plausible(*layout)) return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!is_operation(operation->transpose_a) || !is_operation(operation->transpose_b))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (operation->transpose_c != CUBLAS_OP_N) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!agree(*operation, layouts)) return CUBLAS_STATUS_INVALID_VALUE;
  *out = problem_of(*operation, layouts);
  if (!is_supported(out->compute, out->a, out->b, out->c)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (is_fp8(out->a) && !fp8_fits(*operation, layouts)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

int algorithm_id() { return device_profile().major >= 9 ? kHopperAlgorithm : kAmpereAlgorithm; }

AlgorithmState algorithm_state(const GemmAlgorithm& algorithm) {
  AlgorithmState state;
  state.id = algorithm_id();
  state.tile_id = static_cast<std::uint32_t>(gemm_tiles()[static_cast<std::size_t>(algorithm.tile)].id);
  state.slices = algorithm.slices;
  if (algorithm.slices > 1) state.reduction_scheme = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  return state;
}

cublasStatus_t read_algorithm(const cublasLtMatmulAlgo_t* algo, GemmAlgorithm* out) {
  const auto* state = state_of<AlgorithmState>(algo);
  if (!state || state->id != algorithm_id()) return CUBLAS_STATUS_INVALID_VALUE;
  const auto& tiles = gemm_tiles();
  const auto found = std::find_if(tiles.begin(), tiles.end(), [&](const GemmTile& tile) {
    return static_cast<std::uint32_t>(tile.id) == state->tile_id;
  });
  const bool undefined = state->tile_id == CUBLASLT_MATMUL_TILE_UNDEFINED;
  if (found == tiles.end() && !undefined) return CUBLAS_STATUS_INVALID_VALUE;
  out->tile = undefined ? 0 : static_cast<int>(found - tiles.begin());
  out->slices = std::max(1, state->slices);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace simgpu
