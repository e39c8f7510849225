// Memory for many small things that are kept to the end of the process: handed out piece by piece from a few large
// blocks, never given back. The owner provides the lock.
#pragma once

#include <stddef.h>

#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

// Bounded: at most `kMostBlocks` blocks of a megabyte. All members of a zeroed object are valid.
template <unsigned kMostBlocks>
class Arena {
 public:
  // Null: no room. `reserved`: bytes that must remain in the block afterwards. Aligned as `bytes` of all earlier calls
  // are.
  void* reserve(size_t bytes, size_t reserved = 0) {
    if (left_ < bytes + reserved && !add_block(bytes)) return nullptr;
    void* const memory = next_;
    next_ += bytes;
    left_ -= bytes;
    return memory;
  }

 private:
  static constexpr size_t kBlockBytes = 1u << 20;
  bool add_block(size_t bytes) {
    if (blocks_ == kMostBlocks || bytes > kBlockBytes) return false;
    auto* const block = static_cast<char*>(map_zeros(kBlockBytes));
    if (block == nullptr) return false;
    ++blocks_;
    next_ = block;
    left_ = kBlockBytes;
    return true;
  }

  char* next_;
  size_t left_;
  unsigned blocks_;
};

}  // namespace tauprof::capture
