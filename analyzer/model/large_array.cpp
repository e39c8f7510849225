#include "model/large_array.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <map>
#include <mutex>

namespace tauprof {
namespace {

constexpr size_t kHugePage = 2u << 20;

// Rounds up to quarters of a power of two, so that blocks can be reused for similar sizes.
size_t block_size(size_t bytes) {
  const size_t step = std::max(kHugePage, std::bit_floor(bytes) / 4);
  return (bytes + step - 1) / step * step;
}

// Whole huge pages of the kernel's. Null: there are none.
void* map_block(size_t size) {
  const size_t mapped = size + kHugePage;
  void* const memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(memory);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, kHugePage - before);
  madvise(begin + before, size, MADV_HUGEPAGE);  // only advice: it works without
  return begin + before;
}

class Pool {
 public:
  void* take(size_t size) {
    const std::lock_guard lock(mutex_);
    const auto block = free_.lower_bound(size);
    if (block == free_.end() || block->first > 2 * size) return nullptr;
    void* const memory = block->second;
    sizes_[memory] = block->first;
    free_.erase(block);
    return memory;
  }
  void give(void* memory, size_t size) {
    const std::lock_guard lock(mutex_);
    if (const auto known = sizes_.find(memory); known != sizes_.end()) {
      size = known->second;
      sizes_.erase(known);
    }
    free_.emplace(size, memory);
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, memory] : free_) munmap(memory, size);
    free_.clear();
  }

 private:
  std::mutex mutex_;
  std::multimap<size_t, void*> free_;  // by size
  std::map<void*, size_t> sizes_;      // of blocks handed out for a smaller size
};

Pool& pool() {
  static Pool* const the_pool = new Pool;  // outlives every array
  return *the_pool;
}

}  // namespace

void* allocate_large(size_t bytes) {
  const size_t size = block_size(bytes);
  if (void* const memory = pool().take(size)) return memory;
  void* const memory = map_block(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void deallocate_large(void* memory, size_t bytes) { pool().give(memory, block_size(bytes)); }

void give_back_large() { pool().give_back(); }

}  // namespace tauprof
