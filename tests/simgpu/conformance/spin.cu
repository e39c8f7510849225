// Launches compiled by nvcc, for tests compiled by the host compiler.
#include "spin.cuh"
#include "spin.h"

namespace conformance {

cudaError_t spin_on(cudaStream_t stream, std::chrono::nanoseconds length) {
  cudaGetLastError();
  spin_for<<<1, 1, 0, stream>>>(length.count());
  return cudaGetLastError();
}

cudaError_t launch_with(dim3 grid, dim3 block, std::size_t shared_bytes) {
  cudaGetLastError();
  spin_for<<<grid, block, shared_bytes>>>(0);
  return cudaGetLastError();
}

}  // namespace conformance
