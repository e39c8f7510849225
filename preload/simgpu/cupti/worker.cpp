// The worker's loop.
#include "simgpu/cupti/worker.h"

#include <csignal>
#include <thread>

namespace simgpu::cupti {
namespace {

// A thread that handles none of the program's signals.
template <typename Body>
void start_detached(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(body).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void Worker::start() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  stopped_ = std::make_shared<std::atomic<bool>>(false);
  start_detached([this, stopped = stopped_] { run(stopped); });
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
