// Calls that a test counts in the log: each is one cudaMemsetAsync.
#pragma once

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace programs {

inline void* device_memory;
inline std::atomic<long> calls_made;

inline void use_device() { cudaMalloc(&device_memory, 1 << 16); }

inline void make_calls(int count) {
  for (int i = 0; i < count; ++i) {
    cudaMemsetAsync(device_memory, 0, 64, nullptr);
    ++calls_made;
  }
}

// `count` times ten calls, 10 ms apart.
inline void make_calls_slowly(int count) {
  for (int i = 0; i < count; ++i) {
    make_calls(10);
    usleep(10'000);
  }
}

inline int print_calls() {
  std::printf("%ld calls\n", calls_made.load());
  std::fflush(stdout);
  return 7;
}

}  // namespace programs
