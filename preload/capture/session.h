// The life of a recording: from the first real CUDA call to the end of the process.
#pragma once

namespace tauprof::capture {

// In the library's constructor: whether this process may record at all.
bool prepare_session();

// Before the first real CUDA call, on the thread that makes it; others that come meanwhile wait for it,
// but not for ever. `caller`: an address in whatever makes the call.
void start_session(const void* caller);

// After the first real call has returned: an exit handler registered now runs before the driver's own.
void after_first_call();

}  // namespace tauprof::capture
