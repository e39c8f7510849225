// Whether the sizes of a product suit tensor cores: multiples of 16 bytes (NVIDIA, Matrix Multiplication Background
// User's Guide, "Requirements to use Tensor Cores").
#pragma once

#include "model/gemm_work.h"

namespace tauprof {

// Elements in 16 bytes; 0: the precision has no tensor cores that ask for it.
constexpr int64_t aligned_elements(Precision precision) {
  switch (precision) {
    case Precision::kTf32:
      return 4;
    case Precision::kFp16:
    case Precision::kBf16:
      return 8;
    case Precision::kFp8:
    case Precision::kInt8:
      return 16;
    case Precision::kFp4:
      return 32;
    default:
      return 0;
  }
}

// Products with vectors, and those of unknown sizes, are not.
constexpr bool is_misaligned(const GemmShape& shape, Precision precision) {
  const int64_t elements = aligned_elements(precision);
  if (elements == 0 || shape.m < elements || shape.n < elements || shape.k < elements) return false;
  return shape.m % elements != 0 || shape.n % elements != 0 || shape.k % elements != 0;
}

}  // namespace tauprof
