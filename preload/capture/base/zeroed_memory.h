// Memory for tables that last as long as the process.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

namespace tauprof::capture {

// Zeroed memory, which is never given back. The kernel provides each page at its first use. Null: out of memory.
inline void* map_zeros(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace tauprof::capture
