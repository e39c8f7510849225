#include "simgpu/cublas/gemm_plan.h"

#include <algorithm>
#include <cmath>

#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/gemm_names.h"

namespace simgpu {
namespace {

constexpr int kMaxSlices = 16;
constexpr std::int64_t kShortestSlice = 512;
// The share of time by which a tile is slower than the next larger one: it reads its operands more often.
constexpr double kSmallerTilePenalty = 0.06;

std::int64_t divide_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

std::int64_t tile_count(const GemmProblem& problem, const GemmTile& tile) {
  return divide_up(problem.m, tile.rows) * divide_up(problem.n, tile.columns) * problem.batch;
}

// A complex product is four real ones: the same bytes, four times the multiplications.
GemmShape shape_of(const GemmProblem& problem, int slices) {
  const int complex_factor = is_complex(problem.a) ? 4 : 1;
  GemmShape shape;
  shape.m = problem.m;
  shape.n = problem.n;
  shape.k = divide_up(problem.k, slices) * complex_factor;
  shape.batch = problem.batch * slices;
  shape.math = math_type(problem.a, problem.compute);
  shape.element_bytes = std::max(1, element_bytes(problem.a) / complex_factor);
  return shape;
}

bool uses_tensor_cores(MathType math) { return math != MathType::Fp32 && math != MathType::Fp64; }

bool is_persistent(const GemmProblem& problem) {
  return device_profile().major >= 9 && uses_tensor_cores(math_type(problem.a, problem.compute));
}

KernelShape launch_shape(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  const auto& tile = gemm_tiles()[static_cast<std::size_t>(algorithm.tile)];
  KernelShape shape;
  if (is_persistent(problem)) {
    const auto blocks = std::min<std::int64_t>(tile_count(problem, tile) * algorithm.slices, device_profile().sm_count);
    shape.grid[0] = static_cast<std::uint32_t>(std::max<std::int64_t>(blocks, 1));
    shape.block[0] = 384;
    shape.dynamic_shared_bytes = 220 * 1024;
    shape.registers_per_thread = 168;
    return shape;
  }
  shape.grid[0] = static_cast<std::uint32_t>(divide_up(problem.m, tile.rows));
  shape.grid[1] = static_cast<std::uint32_t>(divide_up(problem.n, tile.columns));
  shape.grid[2] = static_cast<std::uint32_t>(std::min<std::int64_t>(problem.batch * algorithm.slices, 65535));
  shape.block[0] = 256;
  shape.dynamic_shared_bytes = 96 * 1024;
  shape.registers_per_thread = 234;
  return shape;
}

KernelPlan product_kernel(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  KernelPlan plan;
  plan.name = product_name(problem, algorithm);
  plan.shape = launch_shape(problem, algorithm);
  plan.has_cluster = is_persistent(problem);
  plan.work = gemm_work(shape_of(problem, algorithm.slices));
  const double penalty = 1 + kSmallerTilePenalty * algorithm.tile;
  plan.work.duration = static_cast<Nanoseconds>(std::llround(static_cast<double>(plan.work.duration) * penalty));
  return plan;
}

}  // namespace

GemmAlgorithm best_algorithm(const GemmProblem& problem, std::uint64_t workspace_bytes) {
  GemmAlgorithm algorithm;
  const auto tiles = std::max<std::int64_t>(tile_count(problem, gemm_tiles().front()), 1);
  while (algorithm.slices < kMaxSlices && tiles * algorithm.slices * 2 <= device_profile().sm_count &&
         problem.k / (algorithm.slices * 2) >= kShortestSlice) {
    algorithm.slices *= 2;
  }
  while (algorithm.slices > 1 && required_workspace(problem, algorithm) > workspace_bytes) algorithm.slices /= 2;
  return algorithm;
}

std::uint64_t required_workspace(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  if (algorithm.slices <= 1) return 0;
  const auto sum_bytes = std::max(4, element_bytes(scale_type(problem.compute, problem.c)));
  return static_cast<std::uint64_t>(problem.m * problem.n * problem.batch * algorithm.slices * sum_bytes);
}

float wave_count(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  const auto& tile = gemm_tiles()[static_cast<std::size_t>(algorithm.tile)];
  return static_cast<float>(tile_count(problem, tile) * algorithm.slices) /
         static_cast<float>(device_profile().sm_count);
}

std::vector<KernelPlan> plan_gemm(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  std::vector<KernelPlan> plans{product_kernel(problem, algorithm)};
  if (algorithm.slices > 1) {
    const auto outputs = problem.m * problem.n * problem.batch;
    const auto bytes =
        static_cast<std::int64_t>(required_workspace(problem, algorithm)) + outputs * element_bytes(problem.c);
    plans.push_back(streaming_kernel(reduction_name(problem), outputs, bytes));
  }
  return plans;
}

}  // namespace simgpu
