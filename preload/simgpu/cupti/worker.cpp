// The worker's loop.
#include "simgpu/cupti/worker.h"

#include "simgpu/engine/background_thread.h"

namespace simgpu::cupti {

void Worker::start() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  stopped_ = std::make_shared<std::atomic<bool>>(false);
  start_background_thread([this, stopped = stopped_] { run(stopped); });
}

void Worker::stop() {
  const std::lock_guard lock(mutex_);
  if (!stopped_) return;
  *stopped_ = true;
  stopped_.reset();
  buffers_.wake_worker();
}

void Worker::set_period(std::uint32_t ms) {
  period_ms_ = ms;
  buffers_.wake_worker();
}

void Worker::run(const Stopped& stopped) {
  pthread_setname_np(pthread_self(), "cupti-worker");
  while (buffers_.wait_for_work(std::chrono::milliseconds(period_ms_), *stopped)) {
    buffers_.place_all();
    buffers_.deliver_full();
  }
}

}  // namespace simgpu::cupti
