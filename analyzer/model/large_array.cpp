#include "model/large_array.h"

#include <sys/mman.h>

#include <bit>
#include <cstdlib>
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
  void* const memory = std::aligned_alloc(kHugePage, size);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, size, MADV_HUGEPAGE);  // only advice: it works without
  return memory;
}

void deallocate_large(void* memory, size_t bytes) { pool().give(memory, block_size(bytes)); }

}  // namespace tauprof
