// Reads this process's memory by a system call, which fails where a load would crash. For structures that another
// thread may be freeing at this moment, or whose layout has not been verified yet.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

struct MemoryPiece {
  uint64_t address;
  void* to;
  size_t size;
};

// Reads all pieces. False: one of them cannot be read.
bool read_own_memory(const MemoryPiece* pieces, unsigned count);

inline bool read_own_memory(uint64_t address, void* to, size_t size) {
  const MemoryPiece piece{address, to, size};
  return read_own_memory(&piece, 1);
}

}  // namespace tauprof::capture
