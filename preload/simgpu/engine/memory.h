// Memory: device memory is host address space, reserved but not touched, so that gigabytes cost nothing.
//
// All functions are thread-safe and return what the CUDA documentation gives for the case. A freed address is not a
// device address any more; it may be handed out again, as on a real device.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

struct Allocation {
  void* base = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  int device = 0;
  unsigned flags = 0;  // of cudaHostAlloc and cudaHostRegister
  cudaMemPool_t pool = nullptr;
  std::uint64_t id = 0;     // unique in the process
  bool registered = false;  // by cudaHostRegister: not ours to free
  bool mapped = false;      // a piece of virtual_memory.h: nothing frees it
};

SIMGPU_API cudaError_t allocate_device(int device, std::size_t bytes, void** out, cudaMemPool_t pool = nullptr);
SIMGPU_API cudaError_t allocate_managed(int device, std::size_t bytes, void** out);
SIMGPU_API cudaError_t allocate_pinned(int device, std::size_t bytes, unsigned flags, void** out);
SIMGPU_API cudaError_t register_pinned(int device, void* base, std::size_t bytes, unsigned flags);
SIMGPU_API cudaError_t unregister_pinned(void* base);
// `kind` is what the caller frees (cudaFree: Device or Managed; cudaFreeHost: Pinned). Null is no error. Waiting for
// the device, where the documentation asks for it, is the caller's task.
SIMGPU_API cudaError_t free_device(void* base);
SIMGPU_API cudaError_t free_pinned(void* base);
// For cudaDeviceReset: frees all that this process has allocated on the device, also its pinned and managed memory.
SIMGPU_API void free_all_of_device(int device);

// The allocation that holds `address`; nullopt: ordinary pageable memory.
SIMGPU_API std::optional<Allocation> find_allocation(const void* address);
SIMGPU_API MemoryKind memory_kind(const void* address);

struct MemoryInfo {
  std::uint64_t free_bytes, total_bytes;
};
SIMGPU_API MemoryInfo memory_info(int device);

// Stream-ordered pools. `default_pool` exists for every device. Release threshold, reserved and used bytes are kept as
// cudaMemPoolGetAttribute reports them.
SIMGPU_API cudaMemPool_t default_pool(int device);
SIMGPU_API cudaError_t create_pool(int device, cudaMemPool_t* out);
SIMGPU_API cudaError_t destroy_pool(cudaMemPool_t pool);
SIMGPU_API cudaError_t trim_pool(cudaMemPool_t pool, std::size_t keep_bytes);
SIMGPU_API std::optional<int> pool_device(cudaMemPool_t pool);  // nullopt: no such pool
SIMGPU_API cudaError_t pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
SIMGPU_API cudaError_t set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);

// Moves data for a copy, up to Config::data_bytes of it; larger copies move nothing. Addresses that cannot be read or
// written (freed by the program meanwhile) are passed over: the simulator never crashes for them.
SIMGPU_API void move_bytes(void* destination, const void* source, std::size_t bytes);
SIMGPU_API void set_bytes(void* destination, int value, std::size_t element_bytes, std::size_t elements);

}  // namespace simgpu
