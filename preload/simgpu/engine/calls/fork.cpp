#include "simgpu/engine/calls/fork.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/calling_thread.h"

namespace simgpu {
namespace {

constinit std::atomic<bool> begun{false};
constinit std::atomic<bool> forked{false};

void begin_child() {
  calling_thread().id = 0;
  if (begun.load(std::memory_order_relaxed)) forked.store(true, std::memory_order_relaxed);
}

}  // namespace

void watch_forks() {
  static std::once_flag watching;
  std::call_once(watching, [] { pthread_atfork(nullptr, nullptr, begin_child); });
}

void note_simulation_begun() {
  watch_forks();
  begun.store(true, std::memory_order_relaxed);
}

bool simulation_has_begun() { return begun.load(std::memory_order_relaxed); }

bool is_forked_child() { return forked.load(std::memory_order_relaxed); }

}  // namespace simgpu
