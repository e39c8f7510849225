// A matrix product, and how its work is divided into tiles and slices.
#pragma once

#include <cublas_api.h>

#include <cstdint>
#include <vector>

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

// Starts with the best tile for large products. Heuristics return an algorithm's index into this table.
const std::vector<GemmTile>& gemm_tiles();

// The choices for one product.
struct GemmAlgorithm {
  int tile = 0;    // index into gemm_tiles()
  int slices = 1;  // along k
};

}  // namespace simgpu
