// The names of matrix product kernels, as the real libraries have them.
#pragma once

#include <string>

#include "simgpu/cublas/gemm_plan.h"

namespace simgpu {

std::string product_name(const GemmProblem& problem, const GemmAlgorithm& algorithm);
std::string reduction_name(const GemmProblem& problem);

}  // namespace simgpu
