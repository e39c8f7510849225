#include "capture/device/device_activity.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include <new>

#include "capture/base/clock.h"
#include "capture/base/kept_errno.h"
#include "capture/base/messages.h"
#include "capture/base/zeroed_memory.h"
#include "capture/device/activity_rows.h"
#include "capture/device/announced_calls.h"
#include "capture/device/call_watch.h"
#include "capture/device/clock_watch.h"
#include "capture/device/cupti_activity.h"
#include "capture/device/cupti_kinds.h"
#include "capture/device/device_losses.h"
#include "capture/device/event_timing.h"
#include "capture/device/record_watch.h"
#include "capture/device/stream_rows.h"
#include "capture/loader/library_calls.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/own_time.h"
#include "capture/rings/ring_pool.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/loss_rows.h"

namespace tauprof::capture {
namespace {

// Each flush completes a buffer of every launching thread.
constexpr uint64_t kFlushIntervalNs = 100'000'000;
constexpr uint64_t kRiskyFlushIntervalNs = 400'000'000;
constexpr uint64_t kSettleIntervalNs = 10'000'000;
constexpr char kGaveWay[] = "somebody else uses CUPTI";
constexpr char kBlind[] = "CUPTI gave no records";

size_t whole_pages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

bool is_on_from_the_start(const Configuration& configuration) {
  return configuration.start_after_ns == 0 && configuration.start_step == 0 && *configuration.trigger == '\0' &&
         configuration.capture_range.kind == CaptureRange::kNone;
}

}  // namespace

constinit DeviceActivity device_activity;

struct DeviceActivity::State {
  CuptiActivity cupti;
  EventTiming events;
  ActivityRows rows;
  RecordWatch watch;
  ClockWatch clock;
  bool may_use_events = false;
  bool has_fallen_back = false;
  bool has_facts = false;  // written
  bool has_company = false;
  void* event_memory = nullptr;
  uint64_t settled_at = 0;
  uint64_t watched_at = 0;
  uint64_t flushed_at = 0;
  bool has_flushed = true;  // the last flush succeeded
  uint64_t counted_at = 0;  // the flush whose losses have been written
  StreamRows streams;

  void fall_back(DeviceActivity& activity);
  void follow_clock() {
    if (clock.has_jumped()) rows.write_unhooked_calls(nullptr);
  }
  void write_gaps(log::Writer& writer, bool is_ending);
  void watch_records(DeviceActivity& activity, log::Writer& writer, uint64_t now);
  void write_drops(log::Writer& writer, uint64_t now);
};

// Tables get one third of the memory, CUPTI's buffers two. Pages that nobody touches cost nothing.
void DeviceActivity::start(const Configuration& configuration) {
  if (!call_watch.is_kept()) call_watch.close();
  if (configuration.device_timing == DeviceTiming::kOff) {
    source_ = "not wanted: TAUPROF_DEVICE_TIMING=off";
    return;
  }
  const bool may_use_cupti = configuration.device_timing != DeviceTiming::kEvents;
  // A global variable, because leak checkers look there, and not in mapped memory, for pointers to CUPTI's buffers.
  alignas(State) static char state_memory[sizeof(State)];
  const size_t pairs = whole_pages(EventTiming::bytes());
  const size_t tables = whole_pages(configuration.buffer_bytes / 6);
  void* memory = map_zeros(pairs + tables);
  if (memory == nullptr) return say(LogLevel::kError, Cause::kDeviceTiming, "no memory for device times");
  auto* at = static_cast<uint8_t*>(memory);
  auto* const made = new (state_memory) State;
  made->event_memory = at;
  made->rows.init(at + pairs, tables);
  made->may_use_events = configuration.device_timing != DeviceTiming::kCupti;
  if ((configuration.categories & kCategoryApi) != 0) {
    made->rows.write_unhooked_calls([](uint32_t os_id) { return ring_pool.number_of(os_id); });
    made->rows.know_announced_calls(announced_call);
  }
  const CuptiActivity::Setup setup = {
      .buffer_bytes = configuration.buffer_bytes / 3,
      .with_graph_nodes = (configuration.categories & kCategoryGraphNodes) != 0,
      .is_recording = is_on_from_the_start(configuration),
      .other_has_it = gave_way_,
      .others_are_subscribed = others_are_subscribed_ || call_watch.is_open(),
  };
  const bool has_cupti = may_use_cupti && made->cupti.start(setup);
  __atomic_store_n(&state_, made, __ATOMIC_SEQ_CST);  // hooks use it as soon as events time work
  if (!may_use_cupti) set_independent(kTimesWithEvents, made->events.start(made->event_memory));
  if (may_use_cupti && !has_cupti) made->fall_back(*this);
  // The window may have opened or closed meanwhile.
  if (const int wish = __atomic_load_n(&wish_, __ATOMIC_SEQ_CST)) set_recording(wish > 0);
}

// To events, because CUPTI has failed.
void DeviceActivity::State::fall_back(DeviceActivity& activity) {
  has_fallen_back = true;
  if (may_use_events) set_independent(kTimesWithEvents, events.start(event_memory));
  say(LogLevel::kWarn, Cause::kDeviceTiming, "CUPTI cannot be used: %s; device times %s", cupti.failure(),
      activity.times_with_events() ? "come from CUDA events" : "are not recorded");
}

void DeviceActivity::stream_created(void* stream, uint32_t flags) {
  if (state_ == nullptr) return;
  uint32_t number = 0;
  const auto handle = reinterpret_cast<uintptr_t>(stream);
  const bool is_numbered = state_->cupti.stream_number(stream, number);
  if (!is_numbered && !times_with_events()) return;
  const bool takes_turns = (flags & cudaStreamNonBlocking) == 0;
  state_->streams.add({handle, is_numbered ? number : handle, thread_state.device, takes_turns});
}

// Before the first call there is no state: only note that another profiler was first. No events take over meanwhile:
// their calls would be in the other profiler's trace.
void DeviceActivity::other_user(const char* function) {
  const bool subscribes = strcmp(function, "cuptiSubscribe_v2") == 0;
  if (subscribes || strcmp(function, "cuptiSubscribe") == 0 || strcmp(function, "cuptiFinalize") == 0)
    call_watch.close();
  if (subscribes || strcmp(function, "cuptiSubscribe") == 0) others_are_subscribed_ = true;
  if (state_ == nullptr) {
    gave_way_ = gave_way_ || takes_cupti(function);
    return;
  }
  const OwnTime time(OwnWork::kCupti);
  if (!state_->cupti.other_user(function)) return;
  if (!subscribes) return say_given(function);
  __atomic_store_n(&gave_way_to_subscriber_, true, __ATOMIC_RELAXED);
}

void DeviceActivity::other_subscribed(bool has_succeeded, bool allows_others) {
  if (state_ == nullptr) return;
  const OwnTime time(OwnWork::kCupti);
  const bool have_both = state_->cupti.other_subscribed(has_succeeded, allows_others);
  if (__atomic_exchange_n(&gave_way_to_subscriber_, false, __ATOMIC_RELAXED) && !have_both)
    say_given("cuptiSubscribe_v2");
}

void DeviceActivity::other_unsubscribed() {
  const OwnTime time(OwnWork::kCupti);
  if (state_ != nullptr) state_->cupti.other_unsubscribed();
  call_watch.reopen();
}

void DeviceActivity::say_given(const char* function) {
  say(LogLevel::kWarn, Cause::kGaveWay, "%s: another profiler takes CUPTI; device times are not recorded meanwhile",
      function);
}

void DeviceActivity::other_clock(uint64_t (*clock)()) {
  if (state_ != nullptr) state_->cupti.other_clock(clock);
}

void DeviceActivity::set_recording(bool is_on) {
  __atomic_store_n(&wish_, is_on ? 1 : -1, __ATOMIC_SEQ_CST);
  if (State* const state = __atomic_load_n(&state_, __ATOMIC_SEQ_CST)) state->cupti.set_recording(is_on);
}

void DeviceActivity::follow_window() {
  if (state_ != nullptr) state_->cupti.follow_wish(false);
}

log::DeviceTimesState DeviceActivity::times_state() const {
  if (times_with_events()) return is_wanted() ? log::DeviceTimesState::kTaken : log::DeviceTimesState::kOff;
  const State* const state = __atomic_load_n(&state_, __ATOMIC_ACQUIRE);
  return state != nullptr ? state->cupti.times_state() : log::DeviceTimesState::kOff;
}

uint64_t DeviceActivity::lent_since() const {
  const State* const state = __atomic_load_n(&state_, __ATOMIC_ACQUIRE);
  return state != nullptr && state->cupti.use() == CuptiActivity::Use::kTheirs ? state->cupti.lent_since() : 0;
}

uint32_t DeviceActivity::before_work(void* stream, const void* kernel, uint16_t function) {
  const KeptErrno kept;
  const OwnTime time(OwnWork::kEvents);
  const LibraryCalls calls;
  return calls && is_wanted() ? state_->events.before_work(stream, kernel, function) : 0;
}

uint32_t DeviceActivity::before_group_end(uint16_t function) {
  const KeptErrno kept;
  const OwnTime time(OwnWork::kEvents);
  const LibraryCalls calls;
  return calls && is_wanted() ? state_->events.before_group_end(function) : 0;
}

void DeviceActivity::after_work(uint32_t token, uint64_t start, uint64_t end) {
  const KeptErrno kept;
  const OwnTime time(OwnWork::kEvents);
  const LibraryCalls calls;
  state_->events.after_work(token, start, end, static_cast<bool>(calls));
}

bool DeviceActivity::is_lent() const { return state_ != nullptr ? state_->cupti.others_listen() : gave_way_; }

void DeviceActivity::device_is_reset() {
  const LibraryCalls calls;
  if (state_ != nullptr && times_with_events() && calls) state_->events.device_is_reset();
}

void DeviceActivity::take_call(const RecordedCall& call) {
  if (state_ == nullptr) return;
  state_->rows.add_call(call);
  if (state_->watch.listens(call.end_ns) && submits_work(function_name(call.function)))
    state_->watch.launched(call.end_ns);
}

// Where device times come from, or why there are none.
void DeviceActivity::write_source(log::Writer& writer) {
  if (state_ != nullptr) {
    const bool has_cupti = state_->cupti.use() != CuptiActivity::Use::kOff;
    source_ = times_with_events() ? "CUDA events" : has_cupti ? "CUPTI" : state_->cupti.failure();
  }
  if (source_ == written_source_) return;
  written_source_ = source_;
  put_attribute(writer, "device_times", source_);
}

uint64_t DeviceActivity::devices() const { return state_ != nullptr ? state_->rows.devices() : 0; }

void DeviceActivity::collect(log::Writer& writer, const TickScale& scale, uint64_t drained_until_ns,
                             bool (*is_left_out)(uint64_t time), bool is_exact, bool (*is_timed)(uint64_t time)) {
  write_source(writer);
  call_watch.close_if_asked();
  if (state_ == nullptr) return;
  State& state = *state_;
  if (!state.has_facts && state.cupti.use() != CuptiActivity::Use::kOff) state.cupti.write_facts(writer);
  state.has_facts = true;
  if (!state.has_company && state.cupti.has_joined()) {
    state.has_company = true;
    put_attribute(writer, "cupti_shared", "with another subscriber");
  }
  state.cupti.follow_wish(true);
  if (state.cupti.has_refused() && !state.has_fallen_back) state.fall_back(*this);
  use_scale_for_announced_calls(scale);
  state.follow_clock();
  state.rows.set_clock(drained_until_ns);
  state.rows.leave_out(is_left_out, is_exact);
  state.rows.keep_timed(is_timed);
  state.cupti.take_records(state.rows, writer);
  if (const LibraryCalls calls; calls) state.events.collect(state.rows, writer, scale, drained_until_ns, false);
  if (drained_until_ns >= state.settled_at + kSettleIntervalNs) {
    state.settled_at = drained_until_ns;
    state.rows.settle(writer, false);
  }
  state.streams.write(writer, state.rows);
  state.write_drops(writer, drained_until_ns);
  state.watch_records(*this, writer, drained_until_ns);
  state.cupti.return_when_free(drained_until_ns);
  state.write_gaps(writer, false);
}

// If no records come, somebody has taken CUPTI unseen. It is left as it is, because it is his now.
void DeviceActivity::State::watch_records(DeviceActivity& activity, log::Writer& writer, uint64_t now) {
  if (cupti.use() != CuptiActivity::Use::kOurs || !has_flushed || !cupti.has_records()) {
    watch.restart(cupti.buffer_use(), now);
    return;
  }
  if (now < watched_at + kSettleIntervalNs) return;
  watched_at = now;
  if (!watch.is_blind(cupti.buffer_use(), cupti.has_forced(), now)) return;
  cupti.leave(kBlind);
  append_gap(writer, watch.first_launch(), now, kBlind, log::GapScope::kDevice);
  if (may_use_events) set_independent(kTimesWithEvents, events.start(event_memory));
  say(LogLevel::kWarn, Cause::kDeviceTiming,
      "CUPTI gives no records, though %llu launches were made in the last %.1f s: another profiler may have taken it; "
      "device times %s from now on",
      static_cast<unsigned long long>(watch.launches()), static_cast<double>(now - watch.first_launch()) / 1e9,
      activity.times_with_events() ? "come from CUDA events" : "are not recorded");
}

void DeviceActivity::State::write_drops(log::Writer& writer, uint64_t now) {
  const bool is_flushed = counted_at != flushed_at;
  counted_at = flushed_at;
  if (is_flushed && write_buffer_losses(writer, now, cupti)) watch.restart(cupti.buffer_use(), now);
  write_time_losses(writer, now, rows, events);
}

void DeviceActivity::State::write_gaps(log::Writer& writer, bool is_ending) {
  uint64_t start, end;
  while (cupti.lent().next(start, end)) {
    append_gap(writer, start, end, kGaveWay, log::GapScope::kDevice);
    watch.restart(cupti.buffer_use(), end);
  }
  if (is_ending && cupti.lent().open() != 0)
    append_gap(writer, cupti.lent().open(), now_ns(), kGaveWay, log::GapScope::kDevice);
}

bool DeviceActivity::is_draining() const { return state_ != nullptr && state_->cupti.is_draining(); }

void DeviceActivity::know_oldest_launch(uint64_t start) {
  if (state_ != nullptr) state_->cupti.know_oldest_launch(start);
}

void DeviceActivity::flush() {
  if (state_ == nullptr) return;
  const uint64_t now = now_ns();
  if (!state_->cupti.is_draining() &&
      now < state_->flushed_at + (state_->cupti.quirks().flush_can_crash ? kRiskyFlushIntervalNs : kFlushIntervalNs))
    return;
  state_->flushed_at = now;
  state_->has_flushed = state_->cupti.flush(now);
}

void DeviceActivity::finish(log::Writer& writer, const TickScale& scale) {
  if (state_ == nullptr) return;
  State& state = *state_;
  const uint64_t now = now_ns();
  state.flushed_at = now;
  state.cupti.finish();
  use_scale_for_announced_calls(scale);
  state.follow_clock();
  state.rows.set_clock(now);
  state.cupti.take_records(state.rows, writer);
  if (const LibraryCalls calls; calls) state.events.collect(state.rows, writer, scale, now, true);
  state.events.give_up();
  state.rows.take_without_times(Forced::kEnding);  // work that is unfinished at the end is not a loss
  state.rows.settle(writer, true);
  state.streams.write(writer, state.rows);
  state.write_drops(writer, now);
  state.write_gaps(writer, true);
  if (state.rows.left_out() != 0) put_attribute(writer, "device_records_outside_window", state.rows.left_out());
}

}  // namespace tauprof::capture
