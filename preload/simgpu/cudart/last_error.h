// The error that cudaGetLastError returns.
#pragma once

#include <driver_types.h>

namespace simgpu {

// Keeps an error for the calling thread, and returns it.
cudaError_t note_error(cudaError_t error);

}  // namespace simgpu
