#include "simgpu/cublas/gemm_plan.h"

#include <algorithm>
#include <cmath>

#include "simgpu/cublas/data_type.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

bool is_narrow(MathType math) { return math == MathType::Half || math == MathType::Fp8; }

std::string tile_text(const GemmAlgorithm& algorithm) {
  const auto& tile = gemm_tiles()[static_cast<std::size_t>(algorithm.tile)];
  return std::to_string(tile.rows) + "x" + std::to_string(tile.columns);
}

std::string layout_text(const GemmProblem& problem, char transposed, char plain) {
  const auto letter = [&](cublasOperation_t operation) { return operation == CUBLAS_OP_N ? plain : transposed; };
  return {letter(problem.transpose_a), letter(problem.transpose_b)};
}

// nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT: input, accumulator and output type, tile, depth × stages, cluster.
std::string nvjet_name(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  const char output = type_letter(problem.c);
  std::string types{type_letter(problem.a), 's', output};
  std::string depth = "_64x4";
  if (is_fp8(problem.a)) {
    types = {type_letter(problem.a), type_letter(problem.b), output, 's', output};
    depth = "_128x4";
  }
  const std::string slices = algorithm.slices > 1 ? "_splitK" : "";
  const std::string pair = algorithm.tile < 2 ? "_coopA" : "";
  const std::string direction = problem.m >= problem.n ? "_2x1_v" : "_1x2_h";
  return "nvjet_" + types + "_" + tile_text(algorithm) + depth + direction + "_bz" + pair + slices + "_" +
         layout_text(problem, 'T', 'N') + "T";
}

std::string xmma_name(const char* architecture, const char* types, const GemmProblem& problem,
                      const GemmAlgorithm& algorithm, const char* rest) {
  const char* ending = algorithm.slices > 1 ? "_execute_split_k_kernel__5x_cublas" : "_execute_kernel__5x_cublas";
  return std::string(architecture) + "_xmma_gemm_" + types + "_" + layout_text(problem, 't', 'n') + "_n_tilesize" +
         tile_text(algorithm) + rest + ending;
}

std::string hopper_name(const GemmProblem& problem, const GemmAlgorithm& algorithm, MathType math) {
  constexpr const char* kFfma = "x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4";
  switch (math) {
    case MathType::Fp64:
      return xmma_name("sm90", "f64f64_f64f64_f64", problem, algorithm, "x16_stage4_warpgroupsize1x1x1");
    case MathType::Tf32:
      return xmma_name("sm90", "f32f32_tf32f32_f32", problem, algorithm, "x32_warpgroupsize2x1x1");
    case MathType::Int8:
      return xmma_name("sm90", "i8i32_i8i32_i32", problem, algorithm, "x128_warpgroupsize1x1x1");
    default:
      return xmma_name("sm80", is_complex(problem.a) ? "cf32cf32_cf32cf32_cf32" : "f32f32_f32f32_f32", problem,
                       algorithm, kFfma);
  }
}

std::string ampere_name(const GemmProblem& problem, const GemmAlgorithm& algorithm, MathType math) {
  const std::string layout = "_" + layout_text(problem, 't', 'n');
  const std::string tile = tile_text(algorithm);
  const std::string single = is_complex(problem.a) ? "c" : "s";
  switch (math) {
    case MathType::Half: {
      const std::string type = problem.a == CUDA_R_16BF ? "bf16" : "fp16";
      return "ampere_" + type + "_s16816gemm_" + type + "_" + tile + "_ldg8_f2f_stages_64x3" + layout;
    }
    case MathType::Tf32:
      return "cutlass_80_tensorop_" + single + "1688gemm_" + tile + "_16x5" + layout + "_align4";
    case MathType::Fp64:
      return "cutlass_80_tensorop_" + std::string(is_complex(problem.a) ? "z" : "d") + "884gemm_" + tile + "_16x4" +
             layout + "_align1";
    case MathType::Int8:
      return "cutlass_80_tensorop_i16832gemm_s8_" + tile + "_64x4" + layout + "_align16";
    default:
      return "ampere_" + single + "gemm_" + tile + layout;
  }
}

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

std::string product_name(const GemmProblem& problem, const GemmAlgorithm& algorithm) {
  const auto math = math_type(problem.a, problem.compute);
  if (device_profile().major < 9) return ampere_name(problem, algorithm, math);
  if (is_narrow(math) && !is_complex(problem.a)) return nvjet_name(problem, algorithm);
  return hopper_name(problem, algorithm, math);
}

std::string reduction_name(const GemmProblem& problem) {
  const std::string head = "_ZN8cublasLt19splitKreduce_kernelILi32ELi16Ei";
  const std::string tail = "Lb1ELb0ELb0EEEvNS_18cublasSplitKParamsIT4_EEPKT2_PKT3_";
  if (problem.c == CUDA_R_16F) return head + "6__halfS1_fS1_" + tail + "PS8_PS3_PKS3_PKT5_";
  if (problem.c == CUDA_R_16BF) return head + "13__nv_bfloat16S1_fS1_" + tail + "PS8_PS3_PKS3_PKT5_";
  return head + "ffff" + tail + "PS7_PS2_PKS2_PKT5_";
}

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
