#include "simgpu/engine/calls/fork.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/calling_thread.h"

namespace simgpu {
namespace {

constinit std::atomic<bool> started{false};
constinit std::atomic<bool> forked{false};

void enter_child() {
  calling_thread().id = 0;
  if (started.load(std::memory_order_relaxed)) forked.store(true, std::memory_order_relaxed);
}

}  // namespace

void watch_forks() {
  static std::once_flag watching;
  std::call_once(watching, [] { pthread_atfork(nullptr, nullptr, enter_child); });
}

void note_simulation_started() {
  watch_forks();
  started.store(true, std::memory_order_relaxed);
}

bool simulation_has_started() { return started.load(std::memory_order_relaxed); }

bool is_forked_child() { return forked.load(std::memory_order_relaxed); }

}  // namespace simgpu
