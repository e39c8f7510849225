// In which precision a product is computed, and so against which peak it is measured.
//
// That of its inputs: the tensor cores of a device multiply those. Products of float32 are computed in TF32 if the call
// asked for it, or, where the call is not known, if the kernel's name says so; calls may also ask for less precision
// (CUBLAS_COMPUTE_32F_FAST_16BF). Inputs of two types count as the wider one, with FP8 for FP8 with FP4. Integers that
// are multiplied as floating-point numbers count as these.
#pragma once

#include "model/gemm_work.h"

namespace tauprof {

// kUnknown: the log does not have the types.
Precision precision_of(const GemmShape& shape, bool has_tf32_kernel);

// Whether the kernel's name can decide.
bool may_be_tf32(const GemmShape& shape);

// No tensor core multiplies integers of more than 8 bits.
bool is_counted(const GemmShape& shape);

}  // namespace tauprof
