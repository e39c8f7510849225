// What the name of a kernel says about the matrices that it multiplies.
#pragma once

#include <string_view>

#include "model/gemm_work.h"

namespace tauprof {

// kNone: as far as the name tells, it multiplies none.
MatrixKernel matrix_kernel_of(std::string_view name);

// Whether a product of float32 with this kernel is computed in TF32.
bool computes_in_tf32(std::string_view name);

}  // namespace tauprof
