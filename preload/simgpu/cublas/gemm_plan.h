// Which kernels a matrix product becomes.
//
// A product that would leave half of the SMs without a tile, while its k is long, is cut along k: every slice adds up
// its part in a workspace and a second kernel reduces them, as cuBLAS does. A (128 × 128) · k=16384 product has one
// tile of 128 × 256; on 132 SMs it becomes 16 slices of k=1024 and a reduction over 16 × 128 × 128 values.
//
// Names follow the real libraries', so that a profile looks like one from a GPU: nvjet on Hopper for the tensor-core
// types, xmma and cutlass for the others there, ampere_* on Ampere.
#pragma once

#include <cublas_api.h>

#include <cstdint>
#include <vector>

#include "simgpu/cublas/kernel_launch.h"

namespace simgpu {

struct GemmProblem {
  cublasOperation_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N;
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  cudaDataType_t a = CUDA_R_32F, b = CUDA_R_32F, c = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};

struct GemmTile {
  int rows, columns;
  int id;  // a cublasLtMatmulTile_t
};

// From the one that suits large products best. An algorithm's index into it is part of what heuristics return.
const std::vector<GemmTile>& gemm_tiles();

// What can be chosen for one product.
struct GemmAlgorithm {
  int tile = 0;    // index into gemm_tiles()
  int slices = 1;  // along k
};

GemmAlgorithm best_algorithm(const GemmProblem& problem, std::uint64_t workspace_bytes);
std::uint64_t required_workspace(const GemmProblem& problem, const GemmAlgorithm& algorithm);
float wave_count(const GemmProblem& problem, const GemmAlgorithm& algorithm);

// In the order of launching.
std::vector<KernelPlan> plan_gemm(const GemmProblem& problem, const GemmAlgorithm& algorithm);

}  // namespace simgpu
