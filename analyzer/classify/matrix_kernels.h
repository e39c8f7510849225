// Facts about a matrix multiplication from its kernel's name.
#pragma once

#include <string_view>
#include <vector>

#include "model/gemm_work.h"
#include "model/names.h"

namespace tauprof {

// kNone: as far as the name tells, it multiplies none.
MatrixKernel matrix_kernel_of(std::string_view name);

// The same by the ids of names, each asked once.
class MatrixKernels {
 public:
  explicit MatrixKernels(const Names& names) : names_(names) {}
  MatrixKernel of(NameId name) {
    if (kinds_.empty()) kinds_.assign(names_.size(), kNotAsked);
    if (kinds_[name] == kNotAsked) kinds_[name] = static_cast<signed char>(matrix_kernel_of(names_[name]));
    return static_cast<MatrixKernel>(kinds_[name]);
  }

 private:
  static constexpr signed char kNotAsked = -1;
  const Names& names_;
  std::vector<signed char> kinds_;
};

// Whether a product of float32 with this kernel is computed in TF32.
bool computes_in_tf32(std::string_view name);

}  // namespace tauprof
