// Kernels with a known effect on time: one that runs for as long as it is told, and launches that must fail.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>

namespace conformance {

// Queues a kernel of one thread that runs for `length`; what the launch left in cudaGetLastError, where errors of
// earlier calls are forgotten.
cudaError_t spin_on(cudaStream_t stream, std::chrono::nanoseconds length);

// The same kernel with a configuration of the caller's, for no time.
cudaError_t launch_with(dim3 grid, dim3 block, std::size_t shared_bytes);

}  // namespace conformance
