#include "capture/window/record_window.h"

#include <string.h>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/device/device_activity.h"
#include "capture/rings/recording.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/loss_rows.h"

namespace tauprof::capture {

RecordWindow record_window;

namespace {

constexpr char kReason[] = "outside the recording window";

void say_that_nobody_counts() {
  say(LogLevel::kWarn, Cause::kSteps,
      "nobody counts this program's steps while it runs: it is recorded from here on, and the report has the wanted "
      "steps alone; TAUPROF_STEP_MARKER (nvtx: or call:) says where steps start");
}

void say_that_all_are_full() {
  say(LogLevel::kWarn, Cause::kSteps,
      "TAUPROF_EVERY: nobody counts this program's steps while it runs, so all of them have device times; "
      "TAUPROF_STEP_MARKER (nvtx: or call:) says where steps start");
}

uint64_t own_thread() { return reinterpret_cast<uint64_t>(&thread_state); }

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

void RecordWindow::start(const Configuration& configuration, bool is_asked, uint64_t now) {
  const DecidingLock lock{{}, SpinLock(lock_)};
  capture_range_ = configuration.capture_range;
  start_after_ns_ = configuration.start_after_ns;
  duration_ns_ = configuration.duration_ns;
  start_step_ = configuration.start_step;
  categories_ = configuration.categories;
  started_ = now;
  steps_.start(configuration, is_asked, now);
  timed_.start(configuration);
  say_what_is_uncounted();
  is_exact_ = steps_.has_window() && (configuration.categories & kCategoryApi) != 0;
  closed_ = now;
  in_range_ = configuration.capture_range.kind == CaptureRange::kNone;
  has_started_ = true;
  decide(now);
  if (closed_ != 0) publish(false);
}

void RecordWindow::say_what_is_uncounted() const {
  if (steps_.is_uncounted()) return say_that_nobody_counts();
  if (steps_.are_blocks_uncounted()) say_that_all_are_full();
}

void RecordWindow::open_range(CaptureRange kind, uint64_t now) {
  if (capture_range_.kind != kind) return;
  const DecidingLock lock{{}, SpinLock(lock_)};
  in_range_ = true;
  decide(now);
}

void RecordWindow::close_range(CaptureRange kind, uint64_t now) {
  if (capture_range_.kind != kind) return;
  const DecidingLock lock{{}, SpinLock(lock_)};
  in_range_ = false;
  decide(now);
}

bool RecordWindow::is_range(const char* name, uint32_t size) const {
  return capture_range_.kind == CaptureRange::kNvtx && strlen(capture_range_.name) == size &&
         memcmp(capture_range_.name, name, size) == 0;
}

void RecordWindow::follow_clock(uint64_t now) {
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.follow_clock(now);
  decide(now);
}

void RecordWindow::end(uint64_t now) {
  const SpinLock lock(lock_);
  if (has_started_ && !has_ended_ && steps_.is_before())
    say(LogLevel::kWarn, Cause::kSteps,
        "TAUPROF_START_STEP=%llu did not come: the steps seen ended with %llu, so nothing was recorded; "
        "TAUPROF_STEP_MARKER says where steps start",
        static_cast<unsigned long long>(start_step_), static_cast<unsigned long long>(steps_.step()));
  has_ended_ = true;
  if (closed_ != 0) add_gap({closed_, now, kReason});
  if (closed_ != 0) past_[past_count_++ % kMostPast] = {closed_, now};
  closed_ = 0;
  device_activity.set_recording(false);
  are_records_wanted_ = false;
  capture::set_recording(0);
}

void RecordWindow::decide(uint64_t now) {
  if (!has_started_ || has_ended_) return;
  const bool has_come = now - started_ >= start_after_ns_;
  const bool is_over = duration_ns_ != 0 && opened_ != 0 && now - opened_ >= duration_ns_;
  const bool is_open = has_come && !is_over && in_range_ && steps_.is_open();
  is_ready_ = has_come && is_exact_ && steps_.is_near();
  decide_device_times(is_open, now);
  if (is_open == (closed_ != 0)) set_open(is_open, now);
  if (!steps_.follows() && (capture::recording() & kFollowsSteps) != 0) publish(is_open);
}

// The source follows a wish to switch on once the lock has been released, and one to switch off when it has given the
// records of what was launched before.
void RecordWindow::decide_device_times(bool is_open, uint64_t now) {
  if (timed_.may_be_light()) {
    uint64_t number = 0;
    if (steps_.certain_step(number))
      timed_.know_step(number, steps_.is_between());
    else
      timed_.know_no_step();
  }
  const bool are_wanted = (is_open || is_ready_) && timed_.are_wanted();
  if (are_wanted != are_records_wanted_ || !has_wished_) device_activity.set_recording(are_wanted);
  are_records_wanted_ = are_wanted;
  has_wished_ = true;
  if (timed_.may_be_light()) timed_.follow(device_activity.times_state(), device_activity.lent_since(), now);
}

// A short queue of gaps is enough. While it is full, further gaps are not reported; the records beside them stay in the
// log.
void RecordWindow::add_gap(const Gap& gap) {
  if (gap.end > gap.start && waiting_ < kMostWaiting) gaps_[waiting_++] = gap;
}

void RecordWindow::has_missed(uint64_t start, uint64_t end, const char* reason) {
  const SpinLock lock(lock_);
  add_gap({start, end, reason});
}

void RecordWindow::set_open(bool is_open, uint64_t now) {
  if (is_open) {
    if (opened_ == 0) opened_ = now;
    add_gap({closed_, now, kReason});
    past_[past_count_++ % kMostPast] = {closed_, now};
    closed_ = 0;
  } else if (closed_ == 0) {
    closed_ = now;
  }
  publish(is_open);
}

bool RecordWindow::was_closed_at(uint64_t time) {
  const SpinLock lock(lock_);
  if (closed_ != 0 && time >= closed_) return true;
  for (const Closed& closed : past_)
    if (time >= closed.start && time < closed.end) return true;
  return false;
}

bool RecordWindow::were_device_times_taken_at(uint64_t time) {
  const SpinLock lock(lock_);
  return timed_.were_taken_at(time);
}

void RecordWindow::publish(bool is_open) {
  capture::set_recording(kTracking | (steps_.follows() ? kFollowsSteps : 0u) |
                         (steps_.follows_calls() ? kFollowsCalls : 0u) |
                         ((categories_ & kCategoryNcclPhases) != 0 ? kAsksPhases : 0u) | (is_open ? categories_ : 0u));
}

uint32_t RecordWindow::follow_call(const char* function) {
  if (steps_.is_marked_by(function)) {
    const uint64_t now = now_ns();
    const DecidingLock lock{{}, SpinLock(lock_)};
    steps_.take_mark(now);
    decide(now);
  }
  return capture::recording();
}

void RecordWindow::follow_range(const char* name, uint32_t size) {
  if ((capture::recording() & kFollowsSteps) == 0 || !steps_.is_marked_by_range(name, size)) return;
  const uint64_t now = now_ns();
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.take_mark(now);
  decide(now);
}

template <class Change>
void RecordWindow::take_from_framework(Change change) {
  if ((capture::recording() & kFollowsSteps) == 0) return;
  const uint64_t now = now_ns();
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.take_from_framework(now, change);
  decide(now);
}

void RecordWindow::optimizer_is_made(uint32_t optimizer) {
  take_from_framework([=](FrameworkSteps& steps) { steps.construct(own_thread(), optimizer); });
}

void RecordWindow::update_ends(uint32_t optimizer) {
  take_from_framework([=](FrameworkSteps& steps) { steps.updates(own_thread(), optimizer); });
}

void RecordWindow::pass_starts(Pass pass) {
  take_from_framework([=](FrameworkSteps& steps) { steps.starts(own_thread(), pass); });
}

void RecordWindow::forward_ends() {
  take_from_framework([](FrameworkSteps& steps) { steps.forward_ends(own_thread()); });
}

void RecordWindow::gradients_are_cleared() {
  take_from_framework([](FrameworkSteps& steps) { steps.clears(own_thread()); });
}

bool RecordWindow::wants_number(Pass pass, uint64_t& number) {
  const SpinLock lock(lock_);
  return steps_.take_number(own_thread(), pass, number);
}

void RecordWindow::give_up_framework() {
  const DecidingLock lock{{}, SpinLock(lock_)};
  steps_.give_up_framework();
  if (has_started_) say_what_is_uncounted();
  decide(now_ns());
}

bool RecordWindow::keeps_oldest() {
  const SpinLock lock(lock_);
  return steps_.is_uncounted();
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

void RecordWindow::write_device_times(log::Writer& writer) {
  for (log::DeviceTimes row{};;) {
    {
      const SpinLock lock(lock_);
      if (!timed_.take_row(row)) return;
    }
    writer.append(row);
  }
}

}  // namespace tauprof::capture
