// The kernels that a program's modules have registered. A host stub, a cudaKernel_t, a cudaFunction_t or a CUfunction
// names one.
#pragma once

#include <atomic>
#include <cstddef>

#include "simgpu/engine/visibility.h"

namespace simgpu {

// The compiler's choices are not read from the module: every kernel gets the same moderate ones.
constexpr int kRegistersPerThread = 32;
constexpr int kReservedSharedBytes = 1024;  // per block, by the system

struct Kernel {
  explicit Kernel(const char* mangled_name) : name(mangled_name) {}
  const char* const name;  // interned
  std::atomic<int> max_dynamic_shared_bytes{48 << 10};
  std::atomic<int> preferred_carveout{-1};
  std::atomic<int> allows_nonportable_clusters{0};
};

// A kernel's address is its handle. Kernels are never deleted: a launch may use one while its module is unloaded.
SIMGPU_API Kernel* add_kernel(const char* mangled_name);
// Makes a host stub name the kernel, until forget_stub.
SIMGPU_API void name_by_stub(const void* stub, Kernel* kernel);
SIMGPU_API void forget_stub(const void* stub);

// `function` is a host stub or a handle; null if it names no kernel.
SIMGPU_API Kernel* find_kernel(const void* function);

// For CUPTI, which needs the name before the call is checked.
SIMGPU_API const char* kernel_name(const void* function);

// The most dynamic shared memory that the function attribute may allow.
SIMGPU_API int max_optin_shared_bytes();

SIMGPU_API int resident_blocks_per_sm(int threads_per_block, std::size_t shared_bytes_per_block);

}  // namespace simgpu
