// Two ways to read memory: directly, if it is known to be mapped, or guarded, by a copy that fails where a load would
// crash (own_memory.h). Templates over the two read structures either way.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/base/own_memory.h"

namespace tauprof::capture {

struct PlainMemory {
  const uint8_t* at(uint64_t address, size_t) { return reinterpret_cast<const uint8_t*>(address); }
};

// A view stays valid while kViews - 1 more are taken.
class GuardedMemory {
 public:
  // Null: the memory cannot be read, or the view is too large.
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
