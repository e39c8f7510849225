// Work for programs that watch it themselves: memsets, of which each has a record.
#pragma once

#include <cuda_runtime_api.h>
#include <time.h>

constexpr int kSets = 50;

inline void work(void* memory) {
  for (int i = 0; i < kSets; ++i) cudaMemsetAsync(memory, i, 4096, nullptr);
  cudaDeviceSynchronize();
}

inline void wait(long milliseconds) {
  const timespec pause{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
}
