// The names of matrix product kernels in the real libraries.
#pragma once

#include <string>

#include "simgpu/cublas/gemm_problem.h"

namespace simgpu {

std::string product_name(const GemmProblem& problem, const GemmAlgorithm& algorithm);
std::string reduction_name(const GemmProblem& problem);

}  // namespace simgpu
