// How long the threads that make recorded calls were ready to run and had no CPU; from the kernel's schedstat.
//
// Threads that never call CUDA do not count: that a data worker waits for a CPU delays no launch by itself.
#pragma once

#include <stdint.h>

#include "capture/rings/ring_pool.h"

namespace tauprof::capture {

class CpuWait {
 public:
  // The sum over all threads so far, those that have ended included. The writer thread. False: the kernel does not
  // tell.
  bool read(int64_t& total_ns);

 private:
  struct Seen {
    uint32_t thread;  // its number: another thread may have the slot by now
    int64_t waited;
  };
  Seen seen_[RingPool::kMostSlots];
  int64_t total_;
};

}  // namespace tauprof::capture
