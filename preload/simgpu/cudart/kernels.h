// The kernels that a program's modules have registered: how a host stub, a cudaKernel_t and a cudaFunction_t name one.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>

namespace simgpu {

// What the compiler would have decided is not read from the module: every kernel has the same moderate needs.
constexpr int kRegistersPerThread = 32;
constexpr int kReservedSharedBytes = 1024;  // of a block, by the system

struct Kernel {
  explicit Kernel(const char* mangled_name) : name(mangled_name) {}
  const char* const name;  // interned
  std::atomic<int> max_dynamic_shared_bytes{48 << 10};
  std::atomic<int> preferred_carveout{-1};
  std::atomic<int> allows_nonportable_clusters{0};
};

// `function` is a host stub or one of the handles; null: it names no kernel. Kernels are never deleted, because a
// launch may use one while its module goes away.
Kernel* find_kernel(const void* function);

// For CUPTI, which wants the name before the call is checked.
const char* kernel_name(const void* function);

// The largest dynamic shared memory that the function attribute may allow.
int max_optin_shared_bytes();

}  // namespace simgpu
