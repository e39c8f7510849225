// Files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "model/status.h"

namespace tauprof {

// Writes beside `path` and renames, so that `path` is never half a file; what is no regular file (a pipe, /dev/stdout)
// is written as it is. The error says why it cannot be written.
Status write_whole_file(const std::string& path, std::string_view text);

// Whether it could be written now: to be asked before work whose result would be lost.
Status can_be_written(const std::string& path);

}  // namespace tauprof
