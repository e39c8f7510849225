#include "simgpu/engine/timeline/host_wait.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>

#include "simgpu/engine/calls/collection_cost.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/streams/stream_state.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

constexpr Nanoseconds kLongestSleep = 1'000'000'000;

// The kernel rounds wake-ups by a thread's timer slack, usually 50 µs.
class ExactTimers {
 public:
  ExactTimers() : before_(prctl(PR_GET_TIMERSLACK)) { prctl(PR_SET_TIMERSLACK, 1); }
  ~ExactTimers() { prctl(PR_SET_TIMERSLACK, before_ > 0 ? before_ : 0); }

 private:
  int before_;
};

// What a thread computes while it waits is not the program's.
class UnchargedWait {
 public:
  UnchargedWait() : before_(thread_cpu()) {}
  ~UnchargedWait() {
    CallingThread& thread = calling_thread();
    if (thread.charged_until > 0) thread.charged_until += thread_cpu() - before_;
  }

 private:
  const Nanoseconds before_;
};

void wait(EngineLock& lock, Timeline& timeline, Nanoseconds now, Nanoseconds wake) {
  if (!config().spins) {
    timeline.progress().wait_until(lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(wake)));
    return;
  }
  const UnchargedWait uncharged;
  lock.unlock();
  for (wake = std::min(wake, now + kShortestSleep); host_now() < wake;) {
  }
  lock.lock();
}

}  // namespace

Nanoseconds earliest_possible_end(const Operation& operation, Nanoseconds now) {
  if (!operation.stream) return now;
  operation.stream->trim();
  if (operation.stream->pending.empty()) return now;
  const Operation& head = *operation.stream->pending.front();
  if (head.state != Operation::State::Running) return now;
  if (!head.end_known) return INT64_MAX;
  const Nanoseconds head_end = head.updated + static_cast<Nanoseconds>(head.remaining);
  return head_end + std::max<Nanoseconds>(0, operation.mark - head.mark);
}

void wait_until_over(EngineLock& lock, const OperationRef& operation) {
  Timeline& timeline = Timeline::get();
  timeline.advance(host_now());
  if (operation->is_done()) return;
  const ExactTimers exact;
  while (!operation->is_done()) {
    const Nanoseconds now = host_now();
    Nanoseconds wake = std::max(timeline.next_event(), earliest_possible_end(*operation, now));
    wake = std::clamp(wake, now + kShortestSleep, now + kLongestSleep);
    wait(lock, timeline, now, wake);
    timeline.advance(host_now());
  }
}

}  // namespace simgpu
