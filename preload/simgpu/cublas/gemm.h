// A matrix product, as requested from cuBLAS: checked, then launched or passed to cublasLt.
#pragma once

#include <cublas_api.h>

#include <cstdint>

#include "simgpu/cublas/handle.h"

namespace simgpu {

struct GemmOperand {
  const void* data;  // or an array of pointers, for a batch
  cudaDataType_t type;
  std::int64_t leading;
  std::int64_t stride = 0;
};

enum class Batching : std::uint8_t { None, Strided, Pointers };

struct GemmCall {
  cublasOperation_t transpose_a, transpose_b;
  std::int64_t m, n, k;
  const void* alpha;
  GemmOperand a, b;
  const void* beta;
  GemmOperand c;
  cublasComputeType_t compute;
  Batching batching = Batching::None;
  std::int64_t batch = 1;
};

cublasStatus_t check_gemm(const GemmCall& call);

// Like the real library, passes products on tensor cores to the exported cublasLtMatmul, unless they are arrays of
// pointers.
cublasStatus_t gemm(const Handle& handle, const GemmCall& call);

// Launches the product's kernels directly.
cublasStatus_t launch_gemm(const Handle& handle, const GemmCall& call);

}  // namespace simgpu
