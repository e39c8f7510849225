// The loops of the engine's thread and of the callback thread.
#include "simgpu/engine/timeline/engine_thread.h"

#include <sys/prctl.h>

#include <algorithm>

#include "simgpu/engine/background_thread.h"
#include "simgpu/engine/timeline/doorbell.h"
#include "simgpu/engine/timeline/engine_lock.h"
#include "simgpu/engine/timeline/host_wait.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

// A peer that dies does not ring.
constexpr Nanoseconds kPeerCheckInterval = 100'000'000;
constexpr Nanoseconds kForever = 3'600'000'000'000;

Nanoseconds next_wake(Timeline& timeline, Nanoseconds now) {
  Nanoseconds wake = now + (timeline.awaits_peers() ? kPeerCheckInterval : kForever);
  for (const auto& operation : timeline.awaited_outside()) {
    const Nanoseconds earliest = std::max(timeline.next_event(), earliest_possible_end(*operation, now));
    wake = std::min(wake, std::max(earliest, now + kShortestSleep));
  }
  return wake;
}

void run_engine() {
  prctl(PR_SET_NAME, "simgpu-engine");
  prctl(PR_SET_TIMERSLACK, 1);
  for (;;) {
    const unsigned seen = doorbell_count();
    Nanoseconds wake = 0;
    {
      const EngineLock lock(engine_lock());
      Timeline::get().advance(host_now());
      wake = next_wake(Timeline::get(), host_now());
    }
    wait_for_doorbell(seen, wake);
  }
}

void run_callbacks() {
  prctl(PR_SET_NAME, "simgpu-callback");
  EngineLock lock(engine_lock());
  for (;;) {
    auto& due = Timeline::get().due_host_functions();
    if (due.empty()) {
      Timeline::get().host_function_due().wait(lock);
      continue;
    }
    const OperationRef operation = due.front();
    due.pop_front();
    const auto function = std::move(operation->request.host_function);
    lock.unlock();
    function();
    lock.lock();
    Timeline::get().finish_host_function(operation, host_now());
    Timeline::get().advance(host_now());
  }
}

}  // namespace

void wake_engine_thread() {
  [[maybe_unused]] static const bool started = (start_background_thread(run_engine), true);
  ring_own_doorbell();
}

void start_callback_thread() {
  [[maybe_unused]] static const bool started = (start_background_thread(run_callbacks), true);
}

}  // namespace simgpu
