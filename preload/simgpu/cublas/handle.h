// cuBLAS handles: what a program has set in one, and the common start of every function.
#pragma once

#include <cublas_api.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/cublas/kernel_launch.h"
#include "simgpu/engine/call.h"

namespace simgpu {

struct Handle {
  cublasHandle_t self = nullptr;
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int sm_count_target = 0;
  void* own_workspace = nullptr;  // device memory that the library allocated
  void* workspace = nullptr;      // the one in use
  std::size_t workspace_bytes = 0;
};

// Null: no such handle, or it was destroyed.
std::shared_ptr<Handle> find_handle(cublasHandle_t handle);

cublasStatus_t create_handle(cublasHandle_t* out);
cublasStatus_t destroy_handle(cublasHandle_t handle);

// Returns to the library's own workspace.
void use_own_workspace(Handle* handle);

// Opens the call, finds the handle and does `action(Handle&)`.
template <typename Action>
cublasStatus_t enter(const ApiFunction& function, cublasHandle_t handle, Action action) {
  ApiCall call(function);
  const auto found = find_handle(handle);
  return call.leave(found ? action(*found) : CUBLAS_STATUS_NOT_INITIALIZED);
}

inline cublasStatus_t launch(const KernelPlan& plan, const Handle& handle) {
  return launch(plan, handle.device, handle.stream);
}

// For functions with a scalar result: if the result goes to host memory, they return once it is there.
cublasStatus_t launch_reduction(const KernelPlan& plan, const Handle& handle, std::uint64_t result_bytes);

}  // namespace simgpu

// The body of a function that only does its action: SIMGPU_ENTER(cublasX) { … });
#define SIMGPU_ENTER(name)                                      \
  static const ApiFunction function{#name, ApiDomain::Library}; \
  return enter(function, handle, [&](Handle & state)
