// What can go wrong on a rank's host beside the training loop: pauses, work of its own, and a CPU that is shared.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "options.h"

namespace training {

// The calling thread, and all that it starts, share one CPU with threads that spin, in the steps that are asked for;
// and of those they are the ones that give way.
class CpuHogs {
 public:
  CpuHogs(const Disturbances& disturbances, int rank);
  ~CpuHogs();
  CpuHogs(const CpuHogs&) = delete;
  CpuHogs& operator=(const CpuHogs&) = delete;

  void begin_step(int step);

 private:
  void spin(int number);

  const Disturbances& disturbances_;
  int rank_;
  std::atomic<int> spinning_ = 0;  // those of a number below this
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

// As a garbage collector's, between two calls.
void stall_host(const Options& options, int rank, int step);

// Keeps the calling thread's CPU busy until it has used so much time of it.
void work_on_host(double ms);

}  // namespace training
