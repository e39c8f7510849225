#include "simgpu/engine/memory/memory_access.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "simgpu/engine/config.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

// Containers may forbid these calls; then the program's addresses are trusted.
bool is_forbidden() { return errno == ENOSYS || errno == EPERM; }

}  // namespace

bool read_memory(void* destination, const void* source, std::size_t bytes) {
  const iovec to{destination, bytes};
  const iovec from{const_cast<void*>(source), bytes};
  const ssize_t moved = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  if (moved < 0 && is_forbidden()) {
    std::memmove(destination, source, bytes);
    return true;
  }
  return moved == static_cast<ssize_t>(bytes);
}

bool write_memory(void* destination, const void* source, std::size_t bytes) {
  const iovec from{const_cast<void*>(source), bytes};
  const iovec to{destination, bytes};
  const ssize_t moved = process_vm_writev(getpid(), &from, 1, &to, 1, 0);
  if (moved < 0 && is_forbidden()) {
    std::memmove(destination, source, bytes);
    return true;
  }
  return moved == static_cast<ssize_t>(bytes);
}

void move_bytes(void* destination, const void* source, std::size_t bytes) {
  if (bytes != 0 && bytes <= config().data_bytes) read_memory(destination, source, bytes);
}

void set_bytes(void* destination, int value, std::size_t element_bytes, std::size_t elements) {
  if ((element_bytes != 1 && element_bytes != 2 && element_bytes != 4) || elements == 0) return;
  if (elements > config().data_bytes / element_bytes) return;
  std::array<unsigned char, 16384> pattern;
  const std::size_t bytes = element_bytes * elements;
  for (std::size_t at = 0; at < std::min(pattern.size(), bytes); at += element_bytes)
    std::memcpy(pattern.data() + at, &value, element_bytes);  // the low bytes come first
  for (std::size_t done = 0; done < bytes; done += pattern.size()) {
    const std::size_t part = std::min(pattern.size(), bytes - done);
    if (!write_memory(static_cast<unsigned char*>(destination) + done, pattern.data(), part)) return;
  }
}

}  // namespace simgpu
