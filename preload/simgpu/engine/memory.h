// Memory. Device memory is host address space that is reserved but not touched, so gigabytes cost nothing.
//
// All functions are thread-safe and return the error that the CUDA documentation gives for the case. A freed address is
// no longer a device address; it may be handed out again, as on a real device.
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
  bool registered = false;  // by cudaHostRegister: the program frees it
  bool mapped = false;      // a piece of virtual_memory.h: only unmapping ends it
};

SIMGPU_API cudaError_t allocate_device(int device, std::size_t bytes, void** out, cudaMemPool_t pool = nullptr);
SIMGPU_API cudaError_t allocate_managed(int device, std::size_t bytes, void** out);
SIMGPU_API cudaError_t allocate_pinned(int device, std::size_t bytes, unsigned flags, void** out);
SIMGPU_API cudaError_t register_pinned(int device, void* base, std::size_t bytes, unsigned flags);
SIMGPU_API cudaError_t unregister_pinned(void* base);
// free_device is cudaFree (device and managed memory), free_pinned is cudaFreeHost. Null is no error. The caller waits
// for the device where the documentation asks for it.
SIMGPU_API cudaError_t free_device(void* base);
SIMGPU_API cudaError_t free_pinned(void* base);
// For cudaDeviceReset: frees everything that this process has allocated on the device, pinned and managed memory too.
SIMGPU_API void free_all_of_device(int device);

// The allocation that contains `address`; nullopt for ordinary pageable memory.
SIMGPU_API std::optional<Allocation> find_allocation(const void* address);
SIMGPU_API MemoryKind memory_kind(const void* address);

struct MemoryInfo {
  std::uint64_t free_bytes, total_bytes;
};
SIMGPU_API MemoryInfo memory_info(int device);

// Stream-ordered pools. Every device has a `default_pool`. Release threshold, reserved bytes and used bytes follow
// cudaMemPoolGetAttribute.
SIMGPU_API cudaMemPool_t default_pool(int device);
SIMGPU_API cudaError_t create_pool(int device, cudaMemPool_t* out);
SIMGPU_API cudaError_t destroy_pool(cudaMemPool_t pool);
SIMGPU_API cudaError_t trim_pool(cudaMemPool_t pool, std::size_t keep_bytes);
SIMGPU_API std::optional<int> pool_device(cudaMemPool_t pool);  // nullopt: no such pool
SIMGPU_API cudaError_t pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
SIMGPU_API cudaError_t set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);

// Moves data for a copy. Copies larger than Config::data_bytes move nothing. Addresses that cannot be read or written
// (the program has freed them meanwhile) are skipped: the simulator never crashes on them.
SIMGPU_API void move_bytes(void* destination, const void* source, std::size_t bytes);
SIMGPU_API void set_bytes(void* destination, int value, std::size_t element_bytes, std::size_t elements);

}  // namespace simgpu
