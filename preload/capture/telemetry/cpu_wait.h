// How long the threads that make recorded calls were ready to run but had no CPU, from the kernel's schedstat.
//
// Threads that never call CUDA do not count: a data worker that waits for a CPU does not by itself delay a launch.
#pragma once

#include <stdint.h>

#include "capture/rings/ring_pool.h"

namespace tauprof::capture {

class CpuWait {
 public:
  // Reads the sum over all threads so far, including those that have ended. For the writer thread. False: the kernel
  // does not say.
  bool read(int64_t& total_ns);

 private:
  struct Seen {
    uint32_t thread;  // its number, because slots are reused
    int64_t waited;
  };
  Seen seen_[RingPool::kMostSlots];
  int64_t total_;
};

}  // namespace tauprof::capture
