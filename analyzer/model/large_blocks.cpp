#include "model/large_blocks.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "model/malloc_allocator.h"
#include "model/spill_file.h"

namespace tauprof {
namespace {

constexpr size_t kLarge = 256u << 10;
constexpr size_t kPage = 4096;
constexpr size_t kHugePage = 2u << 20;
constexpr size_t kMapped = 4u << 20;  // large blocks that are smaller come from malloc
// Blocks that no array uses are kept up to this many bytes and a quarter of those in use.
constexpr size_t kAlwaysKept = 64u << 20;

// Rounds up to quarters of a power of two, so that blocks can be reused for similar sizes.
size_t mapped_size(size_t bytes) {
  const size_t step = std::max(kHugePage, std::bit_floor(bytes) / 4);
  return bytes > SIZE_MAX - step ? 0 : (bytes + step - 1) / step * step;
}

size_t whole_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Whole huge pages of the kernel's. Null: there are none.
void* map_huge_pages(size_t size) {
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

class LargeBlocks {
 public:
  // Null: there is no memory.
  void* take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    const size_t size = bytes < kMapped ? whole_pages(bytes) : mapped_size(bytes);
    if (size == 0) return nullptr;
    if (bytes >= kMapped)
      if (void* const memory = take_kept(size)) return memory;
    if (file_.is_open() && !fits(size)) {
      give_back_kept();
      if (!fits(size))
        if (void* const memory = file_.take(size)) {
          in_file_[memory] = size;
          return memory;
        }
    }
    return bytes < kMapped ? take_small(bytes) : take_mapped(size);
  }

  // False: it is a block of malloc's.
  bool give(void* memory) {
    const std::lock_guard lock(mutex_);
    if (const auto block = in_file_.find(memory); block != in_file_.end()) {
      file_.give(memory, block->second);
      in_file_.erase(block);
      return true;
    }
    const auto block = used_.find(memory);
    if (block == used_.end()) return false;
    const size_t size = block->second;
    used_.erase(block);
    used_bytes_ -= size;
    if (kept_bytes_ + size > kAlwaysKept + used_bytes_ / 4) {
      munmap(memory, size);
      in_memory_ -= size;
      return true;
    }
    kept_.emplace(size, memory);
    kept_bytes_ += size;
    return true;
  }

  // Every block that is not malloc's starts on a page.
  static bool may_have(const void* memory) { return reinterpret_cast<uintptr_t>(memory) % kPage == 0; }

  // A block of malloc's counts if it is large as malloc made it.
  void count(void* memory) { in_memory_ += large_bytes(memory); }
  void free(void* memory) {
    in_memory_ -= large_bytes(memory);
    std::free(memory);
  }

  void give_back() {
    const std::lock_guard lock(mutex_);
    give_back_kept();
  }

  void limit(size_t most_resident, const std::string& directory) {
    most_in_memory_ = most_resident / 3 * 2;
    if (!file_.is_open()) file_.open(directory, most_resident / 3);
  }

 private:
  using Sizes = std::map<void*, size_t, std::less<>, MallocAllocator<std::pair<void* const, size_t>>>;

  static size_t large_bytes(void* memory) {
    const size_t bytes = malloc_usable_size(memory);
    return bytes < kLarge ? 0 : bytes;
  }

  bool fits(size_t size) const { return in_memory_ + size <= most_in_memory_; }

  void* take_small(size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (memory != nullptr) count(memory);
    return memory;
  }

  void* take_mapped(size_t size) {
    void* const memory = map_huge_pages(size);
    if (memory == nullptr) return nullptr;
    in_memory_ += size;
    used_[memory] = size;
    used_bytes_ += size;
    return memory;
  }

  void* take_kept(size_t size) {
    const auto block = kept_.lower_bound(size);
    if (block == kept_.end() || block->first > 2 * size) return nullptr;
    void* const memory = block->second;
    used_[memory] = block->first;
    used_bytes_ += block->first;
    kept_bytes_ -= block->first;
    kept_.erase(block);
    return memory;
  }

  void give_back_kept() {
    for (const auto& [size, memory] : kept_) {
      munmap(memory, size);
      in_memory_ -= size;
    }
    kept_.clear();
    kept_bytes_ = 0;
  }

  std::mutex mutex_;
  Sizes used_;  // mapped blocks
  // Mapped blocks that no array uses, by size.
  std::multimap<size_t, void*, std::less<>, MallocAllocator<std::pair<const size_t, void*>>> kept_;
  Sizes in_file_;
  std::atomic<size_t> in_memory_ = 0;  // bytes of all large blocks that are not in the file, kept ones, too
  size_t used_bytes_ = 0, kept_bytes_ = 0;
  size_t most_in_memory_ = SIZE_MAX;
  SpillFile file_;
};

LargeBlocks& large_blocks() {
  alignas(LargeBlocks) static unsigned char place[sizeof(LargeBlocks)];
  static LargeBlocks* const blocks = new (place) LargeBlocks;  // outlives every array
  return *blocks;
}

}  // namespace

void give_back_large_blocks() { large_blocks().give_back(); }

void limit_large_blocks(size_t most_resident, const std::string& directory) {
  large_blocks().limit(most_resident, directory);
}

}  // namespace tauprof

// The forms for arrays and those that do not throw call these.
void* operator new(size_t bytes) {
  using namespace tauprof;
  void* const memory = bytes < kLarge ? std::malloc(std::max<size_t>(bytes, 1)) : large_blocks().take(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (bytes < kLarge && bytes >= kLarge / 2) large_blocks().count(memory);
  return memory;
}

void operator delete(void* memory) noexcept {
  using namespace tauprof;
  if (memory == nullptr) return;
  if (LargeBlocks::may_have(memory) && large_blocks().give(memory)) return;
  large_blocks().free(memory);
}

void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
