#include "simgpu/cublas/gemm_problem.h"

#include <cublasLt.h>

namespace simgpu {

const std::vector<GemmTile>& gemm_tiles() {
  static const std::vector<GemmTile> tiles{{128, 256, CUBLASLT_MATMUL_TILE_128x256},
                                           {256, 128, CUBLASLT_MATMUL_TILE_256x128},
                                           {128, 128, CUBLASLT_MATMUL_TILE_128x128},
                                           {64, 128, CUBLASLT_MATMUL_TILE_64x128},
                                           {64, 64, CUBLASLT_MATMUL_TILE_64x64}};
  return tiles;
}

}  // namespace simgpu
