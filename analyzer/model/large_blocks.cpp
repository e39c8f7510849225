#include "model/large_blocks.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
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
constexpr size_t kSpare = 8u << 20;   // bytes at the end of a heap of malloc's that it keeps

// 0: there is no such number.
size_t whole_pages(size_t bytes, size_t page) { return bytes > SIZE_MAX - page ? 0 : (bytes + page - 1) / page * page; }

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

// Mapped memory that no array uses: pieces that do not touch.
class KeptMemory {
 public:
  size_t bytes() const { return bytes_; }

  void put(void* memory, size_t size) {
    bytes_ += size;
    auto* const begin = static_cast<char*>(memory);
    auto after = pieces_.upper_bound(begin);
    if (after != pieces_.end() && begin + size == after->first) {
      size += after->second;
      after = pieces_.erase(after);
    }
    if (after != pieces_.begin())
      if (const auto before = std::prev(after); before->first + before->second == begin) {
        before->second += size;
        return;
      }
    pieces_.emplace_hint(after, begin, size);
  }

  // From the smallest piece that is large enough. Null: there is none.
  void* take(size_t size) {
    auto best = pieces_.end();
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece)
      if (piece->second >= size && (best == pieces_.end() || piece->second < best->second)) best = piece;
    return best == pieces_.end() ? nullptr : cut(best, size);
  }

  // Gives this many bytes, in whole huge pages, back to the kernel, or all that there are: those of the smallest
  // pieces, which are of least use. Returns how many there were.
  size_t give_back(size_t least) {
    const size_t most = whole_pages(std::min(least, bytes_), kHugePage);
    size_t given = 0;
    while (given < most) {
      const auto smallest = std::min_element(
          pieces_.begin(), pieces_.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
      const size_t size = std::min(most - given, smallest->second);
      munmap(cut(smallest, size), size);
      given += size;
    }
    return given;
  }

 private:
  using Pieces = std::map<char*, size_t, std::less<>, MallocAllocator<std::pair<char* const, size_t>>>;

  char* cut(Pieces::iterator piece, size_t size) {
    char* const memory = piece->first;
    const size_t rest = piece->second - size;
    const auto next = pieces_.erase(piece);
    if (rest > 0) pieces_.emplace_hint(next, memory + size, rest);
    bytes_ -= size;
    return memory;
  }

  Pieces pieces_;
  size_t bytes_ = 0;
};

class LargeBlocks {
 public:
  // Memory of blocks that malloc makes serves again. It would map those of 128 KB, and unmap them when they are free.
  LargeBlocks() {
    mallopt(M_MMAP_THRESHOLD, kMapped);
    mallopt(M_TRIM_THRESHOLD, kSpare);
  }

  // Null: there is no memory.
  void* take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    const size_t size = whole_pages(bytes, bytes < kMapped ? kPage : kHugePage);
    if (size == 0) return nullptr;
    if (bytes >= kMapped)
      if (void* const memory = kept_.take(size)) return use(memory, size);
    if (file_.is_open() && !fits(size)) {
      give_back(in_memory_ + size - most_in_memory_);
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
    kept_.put(memory, size);
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
    most_used_ = std::max(most_used_, used_bytes_ + size);
    if (const size_t all = used_bytes_ + kept_.bytes() + size; all > most_used_) give_back(all - most_used_);
    void* const memory = map_huge_pages(size);
    if (memory == nullptr) return nullptr;
    in_memory_ += size;
    return use(memory, size);
  }

  void* use(void* memory, size_t size) {
    used_[memory] = size;
    used_bytes_ += size;
    return memory;
  }

  void give_back(size_t bytes) { in_memory_ -= kept_.give_back(bytes); }

  std::mutex mutex_;
  Sizes used_;  // mapped blocks
  KeptMemory kept_;
  Sizes in_file_;
  std::atomic<size_t> in_memory_ = 0;  // bytes of all large blocks that are not in the file, kept ones, too
  size_t used_bytes_ = 0, most_used_ = 0;
  size_t most_in_memory_ = SIZE_MAX;
  SpillFile file_;
};

LargeBlocks& large_blocks() {
  alignas(LargeBlocks) static unsigned char place[sizeof(LargeBlocks)];
  static LargeBlocks* const blocks = new (place) LargeBlocks;  // outlives every array
  return *blocks;
}

}  // namespace

void limit_large_blocks(size_t most_resident, const std::string& directory) {
  large_blocks().limit(most_resident, directory);
}

}  // namespace tauprof

#ifndef TAUPROF_SANITIZED  // sanitizers find errors by operators of their own

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

#endif
