// Memory for tables that last as long as the process.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

#include "capture/base/quiet.h"

namespace tauprof::capture {

// Zeroed memory, which is never given back. The kernel provides each page at its first use. Null: out of memory.
inline void* map_zeros(size_t bytes) {
  if (is_quiet()) return nullptr;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Mapped for as long as it is in scope: for what is too large for the program's stacks, which may have 16 KB in all.
template <class T>
class ScopedMemory {
 public:
  ScopedMemory() : memory_(map_zeros(sizeof(T))) {}
  ~ScopedMemory() {
    if (memory_ != nullptr) munmap(memory_, sizeof(T));
  }
  ScopedMemory(const ScopedMemory&) = delete;
  ScopedMemory& operator=(const ScopedMemory&) = delete;
  T* get() const { return static_cast<T*>(memory_); }  // null: out of memory

 private:
  void* memory_;
};

}  // namespace tauprof::capture
