#include "capture/base/own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include "capture/base/quiet.h"

namespace tauprof::capture {

bool read_own_memory(const MemoryPiece* pieces, unsigned count) {
  if (is_quiet()) return false;
  constexpr unsigned kMost = 16;
  while (count > 0) {
    const unsigned some = count < kMost ? count : kMost;
    iovec from[kMost], to[kMost];
    size_t wanted = 0;
    for (unsigned i = 0; i < some; ++i) {
      from[i] = {reinterpret_cast<void*>(pieces[i].address), pieces[i].size};
      to[i] = {pieces[i].to, pieces[i].size};
      wanted += pieces[i].size;
    }
    const ssize_t got = process_vm_readv(getpid(), to, some, from, some, 0);
    if (got < 0 || static_cast<size_t>(got) != wanted) return false;
    pieces += some;
    count -= some;
  }
  return true;
}

}  // namespace tauprof::capture
