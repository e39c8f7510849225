// Owners of each device's memory, shared by memory.cpp and memory_pool.cpp. Everything needs memory_lock().
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/engine/handle_table.h"
#include "simgpu/engine/memory.h"
#include "simgpu/engine/memory/device_arena.h"

namespace simgpu {

struct MemoryPool {
  int device = 0;
  std::uint64_t release_threshold = 0;
  std::uint64_t reserved = 0, reserved_high = 0;  // reserved: of the device's memory, used or not
  std::uint64_t used = 0, used_high = 0;
  int reuse[3] = {1, 1, 1};  // cudaMemPoolReuseFollowEventDependencies and the next two
  bool destroyed = false;    // its last allocations still count
};

struct DeviceMemory {
  DeviceArena arena;
  std::uint64_t used_outside_pools = 0;
  cudaMemPool_t default_pool = nullptr;
  std::vector<std::shared_ptr<MemoryPool>> pools;

  std::uint64_t used() const;
};

std::mutex& memory_lock();
DeviceMemory& device_memory(int device);
std::uint64_t memory_capacity(int device);

HandleTable<MemoryPool>& pool_handles();

// Adds an allocation to those in which addresses are looked up.
void hold(Allocation allocation, std::shared_ptr<MemoryPool> pool = nullptr);
void forget_mapped(void* base);

// Counts `bytes` in or out. False: the device has less left. A null pool means outside of pools.
bool take_outside_pools(DeviceMemory& memory, int device, std::uint64_t bytes);
void give_back(DeviceMemory& memory, MemoryPool* pool, std::uint64_t bytes);

// Counts `bytes` of a pool in or out. False: the device has less left.
bool take_from_pool(DeviceMemory& memory, MemoryPool& pool, std::uint64_t bytes);
void return_to_pool(DeviceMemory& memory, MemoryPool& pool, std::uint64_t bytes);
// Returns the memory that the device's pools hold unused.
void trim_pools(DeviceMemory& memory);
// After cudaDeviceReset: the allocations and all pools except the default one are gone.
void forget_pools(int device);

}  // namespace simgpu
