// Two ways to look at memory: straight, where it is known to be there, or guarded into buffers, where it may not
// be (own_memory.h). What reads structures through one of them is written once.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/stacks/own_memory.h"

namespace tauprof::capture {

struct PlainMemory {
  const uint8_t* at(uint64_t address, size_t) { return reinterpret_cast<const uint8_t*>(address); }
};

// A view stays valid for kViews - 1 further ones.
class GuardedMemory {
 public:
  // Null: not readable, or too large.
  const uint8_t* at(uint64_t address, size_t size) {
    uint8_t* const view = views_[next_++ % kViews];
    return size <= kBytes && read_own_memory(address, view, size) ? view : nullptr;
  }

 private:
  static constexpr unsigned kViews = 4;
  static constexpr size_t kBytes = 256;
  uint8_t views_[kViews][kBytes];
  unsigned next_ = 0;
};

template <class T>
T member(const uint8_t* block, size_t offset) {
  T value;
  memcpy(&value, block + offset, sizeof value);
  return value;
}

}  // namespace tauprof::capture
