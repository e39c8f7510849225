// The door for every file that a user, a directory or a log names: only a regular file goes through, and it is as long
// as it was when it was opened. A pipe, a terminal or a device would block or never end, and a file that something else
// keeps writing would never end either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/status.h"

namespace tauprof {

// `descriptor` is the caller's to close; it is set only if the file is open. The message names neither the file nor
// what to do.
Status open_regular_file(const std::string& path, int& descriptor, uint64_t& bytes);

// The whole of a file that a person writes, or that is read as one document. A larger one is refused before any of it
// is read. The message names neither the file nor what to do.
Status read_regular_file(const std::string& path, size_t most_bytes, std::string& text);

}  // namespace tauprof
