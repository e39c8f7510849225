// What NCCL_DEBUG prints, and the text of the last error.
#pragma once

#include <nccl.h>

namespace simgpu::nccl {

// Keeps the text for ncclGetLastError, prints it with NCCL_DEBUG=WARN and above, and returns `result`.
[[gnu::format(printf, 2, 3)]] ncclResult_t refuse(ncclResult_t result, const char* format, ...);

// With NCCL_DEBUG=INFO and above.
[[gnu::format(printf, 1, 2)]] void log_info(const char* format, ...);
// Whether the calls themselves are to be logged (NCCL_DEBUG_SUBSYS has COLL or ALL).
bool logs_calls();

const char* last_error();

// Prints the version once, for NCCL_DEBUG=VERSION and above.
void announce_version();

// Reads NCCL_DEBUG and the like again.
void reset_debug_log();

}  // namespace simgpu::nccl
