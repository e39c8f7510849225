// Checks that a file starts with the header of a log that this reader understands.
#pragma once

#include <string>

#include "log/format.h"
#include "model/status.h"
#include "read/file_window.h"

namespace tauprof {

// `bytes`: the first sizeof(FileHeader) bytes of the file, or all of a shorter one. `path` is for the message.
Status read_file_header(const std::string& path, Bytes bytes, log::FileHeader& header);

}  // namespace tauprof
