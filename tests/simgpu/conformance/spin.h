// A kernel that runs for a given time, and launches of it that may fail.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>

namespace conformance {

// Queues a kernel of one thread that runs for `length`. Returns the launch's error; clears errors of earlier calls.
cudaError_t spin_on(cudaStream_t stream, std::chrono::nanoseconds length);

// The same kernel with the given configuration and no duration.
cudaError_t launch_with(dim3 grid, dim3 block, std::size_t shared_bytes);

}  // namespace conformance
