// The output of NCCL_DEBUG, and the text of the last error.
#pragma once

#include <nccl.h>

namespace simgpu::nccl {

// Keeps the text for ncclGetLastError, prints it at NCCL_DEBUG=WARN and above, and returns `result`.
[[gnu::format(printf, 2, 3)]] ncclResult_t refuse(ncclResult_t result, const char* format, ...);

// Prints at NCCL_DEBUG=INFO and above.
[[gnu::format(printf, 1, 2)]] void log_info(const char* format, ...);
// Whether calls are logged (NCCL_DEBUG_SUBSYS has COLL or ALL).
bool logs_calls();

const char* last_error();

// Prints the version once, at NCCL_DEBUG=VERSION and above.
void announce_version();

// Reads NCCL_DEBUG and the related variables again.
void reset_debug_log();

}  // namespace simgpu::nccl
