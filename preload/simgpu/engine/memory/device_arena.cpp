#include "simgpu/engine/memory/device_arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace simgpu {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

constexpr int kReserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

void DeviceArena::reserve(std::size_t bytes) {
  if (reserved_) return;
  void* const range = mmap(nullptr, bytes, PROT_NONE, kReserved, -1, 0);
  if (range == MAP_FAILED) return;
  madvise(range, bytes, MADV_DONTDUMP);  // otherwise a core file would contain all of it
  reserved_ = true;
  add_free(reinterpret_cast<std::uintptr_t>(range), bytes);
}

void* DeviceArena::allocate(std::size_t bytes, std::size_t capacity) {
  // Twice the capacity: a device has page tables, so fragmented addresses do not mean fragmented memory.
  reserve(round_up(2 * capacity, page_size()));
  bytes = round_up(bytes, kAlignment);
  const auto fit = free_by_size_.lower_bound({bytes, 0});
  if (fit == free_by_size_.end()) return nullptr;
  const auto [room, base] = *fit;
  const std::uintptr_t first_page = base / page_size() * page_size();
  const std::size_t span = round_up(base + bytes, page_size()) - first_page;
  if (mprotect(reinterpret_cast<void*>(first_page), span, PROT_READ | PROT_WRITE) != 0) return nullptr;
  remove_free(base, room);
  if (room > bytes) add_free(base + bytes, room - bytes);
  return reinterpret_cast<void*>(base);
}

void DeviceArena::release(void* pointer, std::size_t bytes) {
  const auto base = reinterpret_cast<std::uintptr_t>(pointer);
  bytes = round_up(bytes, kAlignment);
  std::uintptr_t begin = base, end = base + bytes;
  const auto next = free_by_address_.lower_bound(base);
  if (next != free_by_address_.begin()) {
    const auto [before, length] = *std::prev(next);
    if (before + length == base) begin = before;
  }
  if (next != free_by_address_.end() && next->first == end) end += next->second;
  if (begin < base) remove_free(begin, base - begin);
  if (end > base + bytes) remove_free(base + bytes, end - (base + bytes));
  add_free(begin, end - begin);
  // The pages that only this allocation used.
  const std::size_t page = page_size();
  const std::uintptr_t unused_from = std::max(round_up(begin, page), base / page * page);
  const std::uintptr_t unused_to = std::min(end / page * page, round_up(base + bytes, page));
  if (unused_from >= unused_to) return;
  void* const unused = reinterpret_cast<void*>(unused_from);
  if (mmap(unused, unused_to - unused_from, PROT_NONE, kReserved | MAP_FIXED, -1, 0) != MAP_FAILED)
    madvise(unused, unused_to - unused_from, MADV_DONTDUMP);
}

void DeviceArena::add_free(std::uintptr_t base, std::size_t bytes) {
  free_by_address_.emplace(base, bytes);
  free_by_size_.emplace(bytes, base);
}

void DeviceArena::remove_free(std::uintptr_t base, std::size_t bytes) {
  free_by_address_.erase(base);
  free_by_size_.erase({bytes, base});
}

}  // namespace simgpu
