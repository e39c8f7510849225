// Attaching to the engine and letting go of it.
#include "simgpu/cupti/session.h"

#include <pthread.h>

#include <utility>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

std::atomic<bool> used_before_fork{false};
std::atomic<bool> lost{false};
thread_local CUptiResult last_error = CUPTI_SUCCESS;

}  // namespace

Session::Session() {
  pthread_atfork(nullptr, nullptr, [] { lost = used_before_fork.load(); });
}

Session& Session::get() {
  static Session* const session = new Session;
  return *session;
}

CUptiResult Session::attach() {
  if (device_count() == 0) return CUPTI_ERROR_UNKNOWN;
  const std::lock_guard lock(mutex_);
  if (attached_) return CUPTI_SUCCESS;
  used_before_fork = true;
  clock.sample();
  recorder.resources().note_existing();
  set_observer(&recorder);
  attached_ = true;
  return CUPTI_SUCCESS;
}

void Session::detach() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(attached_, false)) return;
  selection.clear();
  subscriber.clear();
  set_observer(nullptr);
  worker.stop();
  buffers.discard();
}

bool is_lost_in_fork() { return lost || is_forked_child(); }

CUptiResult keep_error(CUptiResult result) {
  if (result != CUPTI_SUCCESS) last_error = result;
  return result;
}

CUptiResult take_last_error() { return std::exchange(last_error, CUPTI_SUCCESS); }

}  // namespace simgpu::cupti
