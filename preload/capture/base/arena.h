// Memory for many small things that are kept to the end of the process: handed out piece by piece from blocks, never
// given back. The owner provides the lock.
#pragma once

#include <stddef.h>

#include "capture/base/memory_budget.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

// Bounded by `kMostBytes` and by the recorder's memory. All members of a zeroed object are valid.
template <size_t kMostBytes>
class Arena {
 public:
  // Null: no room. Aligned as `bytes` of all earlier calls are.
  void* reserve(size_t bytes) {
    if (left_ < bytes && !add_block(bytes)) return nullptr;
    void* const memory = next_;
    next_ += bytes;
    left_ -= bytes;
    return memory;
  }

 private:
  static constexpr size_t kPage = 4096;
  static constexpr size_t kLargestBlock = 1u << 20;
  // The smaller the bound, the smaller the blocks. An eighth is spared for new threads.
  bool add_block(size_t bytes) {
    size_t block = kLargestBlock;
    while (block > kPage && block > memory_budget.bound() / 64) block /= 2;
    while (block < bytes) block *= 2;
    if (taken_ + block > kMostBytes || !memory_budget.take(block, memory_budget.bound() / 8)) return false;
    auto* const memory = static_cast<char*>(map_zeros(block));
    if (memory == nullptr) return memory_budget.give_back(block), false;
    taken_ += block;
    next_ = memory;
    left_ = block;
    return true;
  }

  char* next_;
  size_t left_;
  size_t taken_;
};

}  // namespace tauprof::capture
