// Chooses the kernels for a matrix product.
//
// A product with a long k that would leave half of the SMs without a tile is split along k, as cuBLAS does: each slice
// adds up its part in a workspace, and a second kernel reduces the parts. A (128 × 128) · k=16384 product has one tile
// of 128 × 256; on 132 SMs it becomes 16 slices of k=1024 and a reduction over 16 × 128 × 128 values.
//
// Names follow the real libraries, so that a profile looks like one from a GPU: on Hopper nvjet for the tensor-core
// types and xmma and cutlass for the others, on Ampere ampere_*.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simgpu/cublas/gemm_problem.h"
#include "simgpu/cublas/kernel_launch.h"

namespace simgpu {

GemmAlgorithm best_algorithm(const GemmProblem& problem, std::uint64_t workspace_bytes);
std::uint64_t required_workspace(const GemmProblem& problem, const GemmAlgorithm& algorithm);
float wave_count(const GemmProblem& problem, const GemmAlgorithm& algorithm);

// In launch order.
std::vector<KernelPlan> plan_gemm(const GemmProblem& problem, const GemmAlgorithm& algorithm);

// The names of matrix product kernels in the real libraries.
std::string product_name(const GemmProblem& problem, const GemmAlgorithm& algorithm);
std::string reduction_name(const GemmProblem& problem);

}  // namespace simgpu
