// Checks of single parameters, for what cuBLAS documents as CUBLAS_STATUS_INVALID_VALUE.
#pragma once

#include <cublas_api.h>

#include <algorithm>
#include <cstdint>

namespace simgpu {

inline bool is_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

inline bool is_triangle(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}

inline bool is_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }

inline bool is_wide_enough(std::int64_t leading, std::int64_t rows) {
  return leading >= std::max<std::int64_t>(1, rows);
}

}  // namespace simgpu
