// Reads files that fit into a buffer, such as those of /proc and /sys.
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "log/file_calls.h"

namespace tauprof::capture {

// At most `size` bytes from the start of the file; returns how many it read, 0 also where the file cannot be read. Adds
// no terminating zero.
inline size_t read_small_file(const char* path, char* bytes, size_t size) {
  return log::file_calls([=]() -> size_t {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t count = read(file, bytes, size);
    close(file);
    return count > 0 ? static_cast<size_t>(count) : 0;
  });
}

}  // namespace tauprof::capture
