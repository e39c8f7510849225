// What can go wrong on a rank's host beside the training loop: pauses, and a CPU that is not its own.
#pragma once

#include <atomic>
#include <thread>

#include "options.h"

namespace training {

// The calling thread, and all that it starts, share one CPU with a thread that spins.
class CpuHog {
 public:
  CpuHog();
  ~CpuHog();
  CpuHog(const CpuHog&) = delete;
  CpuHog& operator=(const CpuHog&) = delete;

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// As a garbage collector's, between two calls.
void stall_host(const Options& options, int rank, int step);

}  // namespace training
