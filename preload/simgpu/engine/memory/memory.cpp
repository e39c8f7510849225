#include "simgpu/engine/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "simgpu/engine/call.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory/memory_state.h"

namespace simgpu {
namespace {

struct Holding {
  Allocation allocation;
  std::shared_ptr<MemoryPool> pool;  // null: none
};

using Holdings = std::map<std::uintptr_t, Holding>;

// By base address.
Holdings& holdings() {
  static auto& all = *new Holdings;
  return all;
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// The holding with a byte in [first, first + bytes).
Holdings::iterator find_overlap(const void* first, std::size_t bytes) {
  const std::uintptr_t begin = address_of(first);
  const auto after = holdings().lower_bound(begin + bytes);
  if (after == holdings().begin()) return holdings().end();
  const auto last = std::prev(after);
  return begin < last->first + last->second.allocation.bytes ? last : holdings().end();
}

std::size_t mapped_bytes(std::size_t bytes) { return round_up(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE))); }

void* map_host_memory(std::size_t bytes) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 47;
  if (bytes > kTooMuch) return nullptr;
  void* const base =
      mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? nullptr : base;
}

cudaError_t allocate_mapped(Allocation allocation, void** out) {
  allocation.base = map_host_memory(allocation.bytes);
  if (allocation.base == nullptr) return cudaErrorMemoryAllocation;
  const std::lock_guard guard(memory_lock());
  hold(allocation);
  *out = allocation.base;
  return cudaSuccess;
}

void let_go(Holdings::iterator place) {
  const Holding holding = place->second;
  const Allocation& allocation = holding.allocation;
  holdings().erase(place);
  if (allocation.registered || allocation.mapped) return;
  if (allocation.kind != MemoryKind::Device) {
    munmap(allocation.base, mapped_bytes(allocation.bytes));
    return;
  }
  DeviceMemory& memory = device_memory(allocation.device);
  memory.arena.release(allocation.base, allocation.bytes);
  give_back(memory, holding.pool.get(), round_up(allocation.bytes, DeviceArena::kAlignment));
}

// Joins the mapped pieces of the same device that follow without a gap.
Allocation joined_pieces(Holdings::const_iterator place) {
  Allocation joined = place->second.allocation;
  while (++place != holdings().end()) {
    const Allocation& next = place->second.allocation;
    if (!next.mapped || next.device != joined.device) break;
    if (address_of(next.base) != address_of(joined.base) + joined.bytes) break;
    joined.bytes += next.bytes;
  }
  return joined;
}

// Whether the whole range is mapped in this process.
bool is_mapped(void* base, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = address_of(base) / page * page;
  return msync(reinterpret_cast<void*>(first), address_of(base) + bytes - first, MS_ASYNC) == 0;
}

}  // namespace

void hold(Allocation allocation, std::shared_ptr<MemoryPool> pool) {
  static std::uint64_t last_id = 0;
  allocation.id = ++last_id;
  holdings()[address_of(allocation.base)] = {allocation, std::move(pool)};
}

void forget_mapped(void* base) { holdings().erase(address_of(base)); }

bool take_outside_pools(DeviceMemory& memory, int device, std::uint64_t bytes) {
  const std::uint64_t capacity = memory_capacity(device);
  if (memory.used() + bytes > capacity) trim_pools(memory);
  if (memory.used() + bytes > capacity) return false;
  memory.used_outside_pools += bytes;
  return true;
}

void give_back(DeviceMemory& memory, MemoryPool* pool, std::uint64_t bytes) {
  if (pool != nullptr) {
    return_to_pool(memory, *pool, bytes);
  } else {
    memory.used_outside_pools -= bytes;
  }
}

std::mutex& memory_lock() {
  static std::mutex lock;
  return lock;
}

DeviceMemory& device_memory(int device) {
  static auto& all = *new std::map<int, DeviceMemory>;
  return all[device];
}

std::uint64_t DeviceMemory::used() const {
  std::uint64_t bytes = used_outside_pools;
  for (const auto& pool : pools) bytes += pool->reserved;
  return bytes;
}

std::uint64_t memory_capacity(int device) {
  return config().injection(device).memory_bytes.value_or(device_profile().memory_bytes);
}

cudaError_t allocate_device(int device, std::size_t bytes, void** out, cudaMemPool_t pool_handle) {
  if (const cudaError_t error = device_error(device)) return error;
  if (out == nullptr) return cudaErrorInvalidValue;
  context_of(device);
  *out = nullptr;
  const std::lock_guard guard(memory_lock());
  const auto pool = pool_handle == nullptr ? nullptr : pool_handles().find(pool_handle);
  if (pool_handle != nullptr && pool == nullptr) return cudaErrorInvalidValue;
  if (bytes == 0) return cudaSuccess;
  if (pool != nullptr) device = pool->device;
  const std::uint64_t capacity = memory_capacity(device);
  if (bytes > capacity) return cudaErrorMemoryAllocation;
  DeviceMemory& memory = device_memory(device);
  const std::uint64_t taken = round_up(bytes, DeviceArena::kAlignment);
  const bool fits = pool ? take_from_pool(memory, *pool, taken) : take_outside_pools(memory, device, taken);
  if (!fits) return cudaErrorMemoryAllocation;
  void* const base = memory.arena.allocate(bytes, capacity);
  if (base == nullptr) {
    give_back(memory, pool.get(), taken);
    return cudaErrorMemoryAllocation;
  }
  hold({.base = base, .bytes = bytes, .kind = MemoryKind::Device, .device = device, .pool = pool_handle}, pool);
  *out = base;
  return cudaSuccess;
}

cudaError_t allocate_managed(int device, std::size_t bytes, void** out) {
  if (const cudaError_t error = device_error(device)) return error;
  if (out == nullptr || bytes == 0) return cudaErrorInvalidValue;
  context_of(device);
  return allocate_mapped({.bytes = bytes, .kind = MemoryKind::Managed, .device = device}, out);
}

cudaError_t allocate_pinned(int device, std::size_t bytes, unsigned flags, void** out) {
  if (const cudaError_t error = device_error(device)) return error;
  if (out == nullptr) return cudaErrorInvalidValue;
  context_of(device);
  *out = nullptr;
  if (bytes == 0) return cudaSuccess;
  return allocate_mapped({.bytes = bytes, .kind = MemoryKind::Pinned, .device = device, .flags = flags}, out);
}

cudaError_t register_pinned(int device, void* base, std::size_t bytes, unsigned flags) {
  if (const cudaError_t error = device_error(device)) return error;
  if (base == nullptr || bytes == 0 || address_of(base) + bytes < address_of(base)) return cudaErrorInvalidValue;
  context_of(device);
  const std::lock_guard guard(memory_lock());
  const auto overlap = find_overlap(base, bytes);
  if (overlap != holdings().end()) {
    const bool pinned = overlap->second.allocation.kind == MemoryKind::Pinned;
    return pinned ? cudaErrorHostMemoryAlreadyRegistered : cudaErrorInvalidValue;
  }
  if (!is_mapped(base, bytes)) return cudaErrorInvalidValue;
  hold({base, bytes, MemoryKind::Pinned, device, flags, nullptr, 0, true});
  return cudaSuccess;
}

cudaError_t unregister_pinned(void* base) {
  if (const cudaError_t error = device_error(current_device())) return error;
  if (base == nullptr) return cudaErrorInvalidValue;
  const std::lock_guard guard(memory_lock());
  const auto place = holdings().find(address_of(base));
  if (place == holdings().end() || !place->second.allocation.registered) return cudaErrorHostMemoryNotRegistered;
  let_go(place);
  return cudaSuccess;
}

cudaError_t free_device(void* base) {
  if (const cudaError_t error = device_error(current_device())) return error;
  context_of(current_device());  // programs create it with cudaFree(0)
  if (base == nullptr) return cudaSuccess;
  const std::lock_guard guard(memory_lock());
  const auto place = holdings().find(address_of(base));
  if (place == holdings().end() || place->second.allocation.kind == MemoryKind::Pinned) return cudaErrorInvalidValue;
  if (place->second.allocation.mapped) return cudaErrorInvalidValue;
  let_go(place);
  return cudaSuccess;
}

cudaError_t free_pinned(void* base) {
  if (const cudaError_t error = device_error(current_device())) return error;
  if (base == nullptr) return cudaSuccess;
  const std::lock_guard guard(memory_lock());
  const auto place = holdings().find(address_of(base));
  if (place == holdings().end()) return cudaErrorInvalidValue;
  const Allocation& allocation = place->second.allocation;
  if (allocation.kind != MemoryKind::Pinned || allocation.registered) return cudaErrorInvalidValue;
  let_go(place);
  return cudaSuccess;
}

void free_all_of_device(int device) {
  if (is_forked_child()) return;
  const std::lock_guard guard(memory_lock());
  for (auto place = holdings().begin(); place != holdings().end();) {
    const auto here = place++;
    if (here->second.allocation.device == device) let_go(here);
  }
  forget_pools(device);
}

std::optional<Allocation> find_allocation(const void* address) {
  if (is_forked_child()) return std::nullopt;
  const std::lock_guard guard(memory_lock());
  const auto place = find_overlap(address, 1);
  if (place == holdings().end()) return std::nullopt;
  return place->second.allocation.mapped ? joined_pieces(place) : place->second.allocation;
}

MemoryKind memory_kind(const void* address) {
  const auto allocation = find_allocation(address);
  return allocation ? allocation->kind : MemoryKind::Pageable;
}

MemoryInfo memory_info(int device) {
  const std::uint64_t capacity = memory_capacity(device);
  if (is_forked_child()) return {capacity, capacity};
  const std::lock_guard guard(memory_lock());
  return {capacity - device_memory(device).used(), capacity};
}

}  // namespace simgpu
