// Reads of this process's memory that fail where a load would crash: for structures that another
// thread may be freeing at this moment, or whose layout has not proved itself yet. A system call each.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

struct MemoryPiece {
  uint64_t address;
  void* to;
  size_t size;
};

// All pieces, or false.
bool read_own_memory(const MemoryPiece* pieces, unsigned count);

inline bool read_own_memory(uint64_t address, void* to, size_t size) {
  const MemoryPiece piece{address, to, size};
  return read_own_memory(&piece, 1);
}

}  // namespace tauprof::capture
