// Defects of a rank's host outside the training loop: pauses, additional work, and a shared CPU.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <thread>
#include <vector>

#include "options.h"

namespace training {

// In the chosen steps, the calling thread and all threads that it starts share one CPU with spinning threads, which
// have priority.
class CpuHogs {
 public:
  CpuHogs(const Disturbances& disturbances, int rank);
  ~CpuHogs();
  CpuHogs(const CpuHogs&) = delete;
  CpuHogs& operator=(const CpuHogs&) = delete;

  void start_step(int step);

 private:
  void spin(int number);

  const Disturbances& disturbances_;
  int rank_;
  std::atomic<int> spinning_ = 0;  // the threads with a number below this spin
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

// Like a garbage collector's pause, between two calls.
void stall_host(const Options& options, int rank, int step);

// Later work on the stream waits for a function of the host that sleeps. `options` outlive the stream's work.
void hold_stream(const Options& options, cudaStream_t stream);

// Keeps the CPU busy until the calling thread has used this much CPU time.
void work_on_host(double ms);

}  // namespace training
