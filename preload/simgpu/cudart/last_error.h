// The error that cudaGetLastError gives.
#pragma once

#include <driver_types.h>

namespace simgpu {

// Keeps an error for the calling thread and passes it through.
cudaError_t note_error(cudaError_t error);

}  // namespace simgpu
