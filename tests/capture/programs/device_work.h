// A little work for a device, whose calls a test can count in the log: each round is one cudaMemsetAsync, one
// cudaMemcpyAsync and one cudaStreamSynchronize. It needs no kernels, and so no nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace programs {

inline void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::_Exit(1);
}

class DeviceWork {
 public:
  DeviceWork() {
    check(cudaMalloc(&memory_, 2 * kBytes), "cudaMalloc");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~DeviceWork() {
    check(cudaStreamDestroy(stream_), "cudaStreamDestroy");
    check(cudaFree(memory_), "cudaFree");
  }
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;

  void round() {
    char* const bytes = static_cast<char*>(memory_);
    check(cudaMemsetAsync(bytes, 1, kBytes, stream_), "cudaMemsetAsync");
    check(cudaMemcpyAsync(bytes + kBytes, bytes, kBytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }
  void rounds(int count) {
    for (int i = 0; i < count; ++i) round();
  }

 private:
  static constexpr std::size_t kBytes = 4096;
  void* memory_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace programs
