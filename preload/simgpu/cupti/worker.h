// CUPTI's own thread. It delivers buffers that are full and complete, so that no thread of the program has to.
//
// Without a period it wakes when there is something to do; with a period (cuptiActivityFlushPeriod) only at its end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "simgpu/cupti/activity_buffers.h"

namespace simgpu::cupti {

class Worker {
 public:
  explicit Worker(ActivityBuffers& buffers) : buffers_(buffers) {}

  void start();  // once; no effect while it runs
  // Does not wait for the thread: the caller may hold what the client's callback waits for, or be the worker itself.
  void stop();
  void set_period(std::uint32_t ms);

 private:
  using Stopped = std::shared_ptr<std::atomic<bool>>;
  void run(const Stopped& stopped);

  ActivityBuffers& buffers_;
  std::atomic<std::uint32_t> period_ms_{0};
  std::mutex mutex_;
  Stopped stopped_;  // of the thread that runs; null: none
};

}  // namespace simgpu::cupti
