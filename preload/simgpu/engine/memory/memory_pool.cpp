// Stream-ordered pools only count: their addresses come from the device's arena like all others. A pool holds memory in
// units of 32 MiB. Unused memory beyond the release threshold returns to the device on a free; a real pool returns it
// at the next synchronization.
#include <algorithm>
#include <cstring>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory/memory_state.h"

namespace simgpu {
namespace {

constexpr std::uint64_t kPoolUnit = 32 << 20;

std::shared_ptr<MemoryPool> find_pool(cudaMemPool_t handle) {
  return is_forked_child() ? nullptr : pool_handles().find(handle);
}

cudaMemPool_t add_pool(int device) {
  auto pool = std::make_shared<MemoryPool>();
  pool->device = device;
  device_memory(device).pools.push_back(pool);
  return pool_handles().insert<cudaMemPool_t>(std::move(pool));
}

void drop_empty_pools(DeviceMemory& memory) {
  std::erase_if(memory.pools, [](const auto& pool) { return pool->destroyed && pool->used == 0; });
}

// Null: the attribute is not a 64-bit number.
std::uint64_t* amount(MemoryPool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return &pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
      return &pool.reserved;
    case cudaMemPoolAttrReservedMemHigh:
      return &pool.reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
      return &pool.used;
    case cudaMemPoolAttrUsedMemHigh:
      return &pool.used_high;
    default:
      return nullptr;
  }
}

int* reuse_flag(MemoryPool& pool, cudaMemPoolAttr attribute) {
  const int index = static_cast<int>(attribute) - static_cast<int>(cudaMemPoolReuseFollowEventDependencies);
  return index >= 0 && index < 3 ? &pool.reuse[index] : nullptr;
}

}  // namespace

HandleTable<MemoryPool>& pool_handles() {
  static auto& table = *new HandleTable<MemoryPool>(0x70000000000);
  return table;
}

bool take_from_pool(DeviceMemory& memory, MemoryPool& pool, std::uint64_t bytes) {
  const std::uint64_t capacity = memory_capacity(pool.device);
  if (pool.used + bytes > pool.reserved) {
    const std::uint64_t missing = pool.used + bytes - pool.reserved;
    std::uint64_t growth = round_up(missing, kPoolUnit);
    if (memory.used() + growth > capacity) {
      for (const auto& other : memory.pools)
        if (other.get() != &pool) other->reserved = other->used;
      growth = missing;
    }
    if (memory.used() + growth > capacity) return false;
    pool.reserved += growth;
  }
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
  return true;
}

void return_to_pool(DeviceMemory& memory, MemoryPool& pool, std::uint64_t bytes) {
  pool.used -= bytes;
  const std::uint64_t kept = pool.destroyed ? 0 : std::min(pool.reserved, pool.release_threshold);
  pool.reserved = std::max(std::min<std::uint64_t>(round_up(pool.used, kPoolUnit), pool.reserved), kept);
  drop_empty_pools(memory);
}

void trim_pools(DeviceMemory& memory) {
  for (const auto& pool : memory.pools) pool->reserved = pool->used;
}

void forget_pools(int device) {
  DeviceMemory& memory = device_memory(device);
  std::vector<cudaMemPool_t> made;
  for (const auto& [handle, pool] : pool_handles().all())
    if (pool->device == device) made.push_back(reinterpret_cast<cudaMemPool_t>(handle));
  for (const cudaMemPool_t handle : made)
    if (handle != memory.default_pool) pool_handles().remove(handle);
  std::erase_if(memory.pools, [&](const auto& pool) { return pool != pool_handles().find(memory.default_pool); });
  for (const auto& pool : memory.pools) *pool = {.device = device};
}

cudaMemPool_t default_pool(int device) {
  if (device_error(device) != cudaSuccess) return nullptr;
  const std::lock_guard guard(memory_lock());
  cudaMemPool_t& pool = device_memory(device).default_pool;
  if (pool == nullptr) pool = add_pool(device);
  return pool;
}

cudaError_t create_pool(int device, cudaMemPool_t* out) {
  if (const cudaError_t error = device_error(device)) return error;
  if (out == nullptr) return cudaErrorInvalidValue;
  context_of(device);
  const std::lock_guard guard(memory_lock());
  *out = add_pool(device);
  return cudaSuccess;
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard guard(memory_lock());
  const auto pool = find_pool(handle);
  if (pool == nullptr) return cudaErrorInvalidValue;
  DeviceMemory& memory = device_memory(pool->device);
  if (memory.default_pool == handle) return cudaErrorInvalidValue;
  pool_handles().remove(handle);
  pool->destroyed = true;
  pool->reserved = pool->used;
  drop_empty_pools(memory);
  return cudaSuccess;
}

cudaError_t trim_pool(cudaMemPool_t handle, std::size_t keep_bytes) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard guard(memory_lock());
  const auto pool = find_pool(handle);
  if (pool == nullptr) return cudaErrorInvalidValue;
  pool->reserved = std::min(pool->reserved, std::max<std::uint64_t>(pool->used, round_up(keep_bytes, kPoolUnit)));
  return cudaSuccess;
}

std::optional<int> pool_device(cudaMemPool_t handle) {
  if (is_forked_child()) return std::nullopt;
  const std::lock_guard guard(memory_lock());
  const auto pool = find_pool(handle);
  if (pool == nullptr) return std::nullopt;
  return pool->device;
}

cudaError_t pool_attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard guard(memory_lock());
  const auto pool = find_pool(handle);
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (const std::uint64_t* number = amount(*pool, attribute)) {
    std::memcpy(value, number, sizeof *number);
  } else if (const int* flag = reuse_flag(*pool, attribute)) {
    std::memcpy(value, flag, sizeof *flag);
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t set_pool_attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, const void* value) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard guard(memory_lock());
  const auto pool = find_pool(handle);
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (int* flag = reuse_flag(*pool, attribute)) {
    std::memcpy(flag, value, sizeof *flag);
    return cudaSuccess;
  }
  std::uint64_t number = 0;
  if (amount(*pool, attribute) != nullptr) std::memcpy(&number, value, sizeof number);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->release_threshold = number;
    return cudaSuccess;
  }
  // The high-water marks can only be set to zero: they restart from what is held now.
  if (number != 0) return cudaErrorInvalidValue;
  if (attribute == cudaMemPoolAttrReservedMemHigh) {
    pool->reserved_high = pool->reserved;
  } else if (attribute == cudaMemPoolAttrUsedMemHigh) {
    pool->used_high = pool->used;
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

}  // namespace simgpu
