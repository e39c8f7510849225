#include "capture/window/record_window.h"

#include <string.h>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/device/device_activity.h"
#include "capture/rings/recording.h"
#include "capture/rings/ring.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/loss_rows.h"

namespace tauprof::capture {

RecordWindow record_window;

namespace {

constexpr char kReason[] = "outside the recording window";

// The position of the thread's current launch in the history of launches.
constexpr uint64_t kNotFollowed = UINT64_MAX;
__thread uint64_t g_followed __attribute__((tls_model("initial-exec"))) = kNotFollowed;

}  // namespace

// For decisions about the window. Device records are switched after the lock has been released: CUPTI has locks of its
// own, and launching threads want both.
struct RecordWindow::DecidingLock {
  struct Switch {
    ~Switch() { device_activity.follow_window(); }
  };
  Switch after;
  SpinLock lock;
};

void RecordWindow::start(const Configuration& configuration, uint64_t now) {
  const DecidingLock lock{{}, SpinLock(lock_)};
  configuration_ = configuration;
  started_ = now;
  steps_.start(configuration, now);
  is_exact_ = steps_.follows() && (configuration.categories & kCategoryApi) != 0;
  closed_ = now;
  in_range_ = configuration.capture_range == CaptureRange::kNone;
  has_started_ = true;
  decide(now);
  if (closed_ != 0) set_open(false, now);
}

void RecordWindow::open_range(CaptureRange kind, uint64_t now) {
  if (configuration_.capture_range != kind) return;
  const DecidingLock lock{{}, SpinLock(lock_)};
  in_range_ = true;
  decide(now);
}

void RecordWindow::close_range(CaptureRange kind, uint64_t now) {
  if (configuration_.capture_range != kind) return;
  const DecidingLock lock{{}, SpinLock(lock_)};
  in_range_ = false;
  decide(now);
}

bool RecordWindow::is_range(const char* name, uint32_t size) const {
  return configuration_.capture_range == CaptureRange::kNvtx && strlen(configuration_.range_name) == size &&
         memcmp(configuration_.range_name, name, size) == 0;
}

void RecordWindow::follow_clock(uint64_t now) {
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.follow_clock(now);
  if (is_draining_ && now - closed_ > kDrain) {
    is_draining_ = false;
    device_activity.set_recording(is_ready_);
  }
  decide(now);
}

void RecordWindow::end(uint64_t now) {
  const SpinLock lock(lock_);
  if (has_started_ && !has_ended_ && steps_.is_before())
    say(LogLevel::kWarn, Cause::kSteps,
        "TAUPROF_START_STEP=%llu did not come: the steps seen ended with %llu, so nothing was recorded; "
        "TAUPROF_STEP_MARKER says where steps start",
        static_cast<unsigned long long>(configuration_.start_step), static_cast<unsigned long long>(steps_.step()));
  has_ended_ = true;
  if (closed_ != 0 && now > closed_ && waiting_ < kMostWaiting) gaps_[waiting_++] = {closed_, now, kReason};
  if (closed_ != 0) past_[past_count_++ % kMostPast] = {closed_, now};
  closed_ = 0;
  device_activity.set_recording(false);
  capture::set_recording(0);
}

void RecordWindow::decide(uint64_t now) {
  if (!has_started_ || has_ended_) return;
  const bool has_come = now - started_ >= configuration_.start_after_ns;
  const bool is_over = configuration_.duration_ns != 0 && opened_ != 0 && now - opened_ >= configuration_.duration_ns;
  const bool is_open = has_come && !is_over && in_range_ && steps_.is_open();
  const bool was_ready = is_ready_;
  is_ready_ = has_come && is_exact_ && steps_.is_near();
  if (is_open == (closed_ != 0))
    set_open(is_open, now);
  else if (is_ready_ != was_ready && closed_ != 0 && !is_draining_)
    device_activity.set_recording(is_ready_);
}

// A short queue of gaps is enough. While it is full, further gaps are not reported; the records beside them stay in the
// log.
void RecordWindow::set_open(bool is_open, uint64_t now) {
  if (is_open) {
    if (opened_ == 0) opened_ = now;
    if (now > closed_ && waiting_ < kMostWaiting) gaps_[waiting_++] = {closed_, now, kReason};
    past_[past_count_++ % kMostPast] = {closed_, now};
    closed_ = 0;
  } else if (closed_ == 0) {
    closed_ = now;
  }
  is_draining_ = !is_open && is_exact_ && opened_ != 0;
  if (!is_draining_) device_activity.set_recording(is_open || is_ready_);
  publish(is_open);
}

bool RecordWindow::was_closed_at(uint64_t time) {
  const SpinLock lock(lock_);
  if (closed_ != 0 && time >= closed_) return true;
  for (const Closed& closed : past_)
    if (time >= closed.start && time < closed.end) return true;
  return false;
}

void RecordWindow::publish(bool is_open) {
  capture::set_recording(kTracking | (steps_.follows() ? kFollowsSteps : 0u) |
                         (is_open ? configuration_.categories : 0u));
}

void RecordWindow::follow_launch(const LaunchFacts& facts, const char* function) {
  const uint64_t now = now_ns(), ticks = read_ticks();
  g_followed = kNotFollowed;
  {
    const DecidingLock lock{{}, SpinLock(lock_)};
    if (steps_.is_marked_by(function)) {
      steps_.take_mark(now);
      decide_at_step(now);
    } else if (!steps_.is_marked() && !facts.is_captured && steps_.take(facts, ticks, now, g_followed)) {
      decide_at_step(now);
    }
  }
  if (steps_.is_asked()) writer_doorbell.ring();
}

void RecordWindow::launch_returned(uint64_t ticks) {
  if (g_followed != kNotFollowed) steps_.returned(g_followed, ticks);
}

void RecordWindow::follow_range(const char* name, uint32_t size) {
  if ((capture::recording() & kFollowsSteps) == 0 || !steps_.is_marked_by_range(name, size)) return;
  const uint64_t now = now_ns();
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.take_mark(now);
  decide_at_step(now);
}

namespace {

bool follows_steps() { return (capture::recording() & kFollowsSteps) != 0; }

uint64_t own_thread() { return reinterpret_cast<uint64_t>(&thread_state); }

}  // namespace

void RecordWindow::optimizer_is_made(uint32_t optimizer) {
  if (!follows_steps()) return;
  const SpinLock lock(lock_);
  steps_.take_optimizer(optimizer);
}

void RecordWindow::update_ends(uint32_t optimizer) {
  if (!follows_steps()) return;
  const uint64_t now = now_ns();
  const DecidingLock lock{{}, SpinLock(lock_)};
  if (steps_.take_update(own_thread(), optimizer, now)) decide_at_step(now);
}

void RecordWindow::pass_starts() {
  if (!follows_steps()) return;
  const uint64_t now = now_ns();
  const DecidingLock lock{{}, SpinLock(lock_)};
  if (steps_.take_pass(own_thread())) decide_at_step(now);
}

bool RecordWindow::wants_number(uint64_t& number) {
  const SpinLock lock(lock_);
  return steps_.take_number(own_thread(), number);
}

void RecordWindow::decide_at_step(uint64_t now) {
  decide(now);
  if (!steps_.follows() && !has_ended_) publish(closed_ == 0);
}

void RecordWindow::find_steps(log::Writer& writer, const TickScale& scale) {
  const uint64_t now = now_ns();
  bool wants_search;
  {
    const SpinLock lock(lock_);
    wants_search = steps_.wants_search(now);
  }
  if (wants_search && steps_.search(now)) {
    const DecidingLock lock{{}, SpinLock(lock_)};
    if (!steps_.is_marked()) {
      steps_.install(now);
      decide_at_step(now);
    }
  }
  if (!steps_.follows()) steps_.write_step_starts(writer, scale);
}

void RecordWindow::write_last_steps(log::Writer& writer, const TickScale& scale) {
  const uint64_t now = now_ns();
  if (steps_.wants_last_search() && steps_.search(now)) steps_.install(now);
  steps_.write_step_starts(writer, scale);
}

void RecordWindow::write_gaps(log::Writer& writer) {
  Gap gaps[kMostWaiting];
  uint32_t count;
  {
    const SpinLock lock(lock_);
    count = waiting_;
    memcpy(gaps, gaps_, sizeof gaps);
    waiting_ = 0;
  }
  for (uint32_t i = 0; i < count; ++i) append_gap(writer, gaps[i].start, gaps[i].end, gaps[i].reason);
}

}  // namespace tauprof::capture
