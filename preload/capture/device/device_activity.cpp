#include "capture/device/device_activity.h"

#include <string.h>

#include <new>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"
#include "capture/device/activity_rows.h"
#include "capture/device/cupti_activity.h"
#include "capture/device/event_timing.h"
#include "capture/rings/ring_pool.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/loss_rows.h"

namespace tauprof::capture {
namespace {

// Each flush completes a buffer of every launching thread and makes a block of the log.
constexpr uint64_t kFlushIntervalNs = 400'000'000;
constexpr uint64_t kSettleIntervalNs = 10'000'000;
constexpr char kGapReason[] = "somebody else uses CUPTI";

size_t whole_pages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

// Subscribing to callbacks and flushing buffers do not disturb us.
bool takes_cupti(const char* function) {
  return strncmp(function, "cuptiActivity", strlen("cuptiActivity")) == 0 &&
         strcmp(function, "cuptiActivityFlushAll") != 0;
}

}  // namespace

constinit DeviceActivity device_activity;

struct DeviceActivity::State {
  struct Stream {
    uint64_t handle;
    uint64_t number;
    uint32_t device;
  };
  static constexpr uint32_t kMostStreams = 256;  // waiting for their rows

  CuptiActivity cupti;
  EventTiming events;
  ActivityRows rows;
  bool falls_back = false;  // to events, while another profiler uses CUPTI
  void* event_memory = nullptr;
  uint64_t settled_at = 0;
  uint64_t flushed_at = 0;
  uint64_t gave_way_at = 0;
  uint64_t counted_at = 0;  // the flush whose losses have been written
  uint32_t stream_lock = 0;
  uint32_t stream_count = 0;
  Stream streams[kMostStreams] = {};

  void write_streams(log::Writer& writer);
  void write_gap(log::Writer& writer, uint64_t end);
  void write_drops(log::Writer& writer, uint64_t now);
};

// Tables get one third of the memory, CUPTI's buffers two. Pages that nobody touches cost nothing.
void DeviceActivity::start(const Configuration& configuration, const void* first_caller) {
  if (configuration.device_timing == DeviceTiming::kOff) return;
  const bool may_use_cupti = configuration.device_timing != DeviceTiming::kEvents;
  const bool may_use_events = configuration.device_timing != DeviceTiming::kCupti;
  const size_t state = whole_pages(sizeof(State)), pairs = whole_pages(EventTiming::bytes());
  const size_t tables = whole_pages(configuration.buffer_bytes / 6);
  const size_t buffers = whole_pages(configuration.buffer_bytes / 3);
  void* memory = map_zeros(state + pairs + tables + buffers);
  if (memory == nullptr) return say(LogLevel::kError, Cause::kDeviceTiming, "no memory for device times");
  auto* at = static_cast<uint8_t*>(memory);
  auto* const made = new (at) State;
  made->event_memory = at + state;
  made->rows.init(at + state + pairs, tables);
  made->falls_back = may_use_events;
  if ((configuration.categories & kCategoryApi) != 0)
    made->rows.write_unhooked_calls([](uint32_t os_id) { return ring_pool.number_of(os_id); });
  const bool with_nodes = (configuration.categories & kCategoryGraphNodes) != 0;
  uint8_t* const for_buffers = at + state + pairs + tables;
  bool has_cupti = false;
  if (may_use_cupti)
    has_cupti = gave_way_ ? made->cupti.start_as_second(first_caller, for_buffers, buffers, with_nodes)
                          : made->cupti.start(first_caller, for_buffers, buffers, with_nodes);
  if (gave_way_) made->gave_way_at = now_ns();
  if ((!has_cupti || gave_way_) && may_use_events) set_events(made->events.start(made->event_memory));
  if (may_use_cupti && !has_cupti)
    say(LogLevel::kWarn, Cause::kDeviceTiming, "CUPTI cannot be used: %s; device times %s", made->cupti.failure(),
        times_with_events_ ? "come from CUDA events" : "are not recorded");
  __atomic_store_n(&state_, made, __ATOMIC_RELEASE);
}

void DeviceActivity::stream_created(void* stream) {
  if (state_ == nullptr) return;
  uint32_t number = 0;
  const auto handle = reinterpret_cast<uintptr_t>(stream);
  const bool is_numbered = state_->cupti.stream_number(stream, number);
  if (!is_numbered && !times_with_events_) return;
  const SpinLock lock(state_->stream_lock);
  if (state_->stream_count == State::kMostStreams) return;
  state_->streams[state_->stream_count++] = {handle, is_numbered ? number : handle, thread_state.device};
}

// A context's number is known once it has done work. Before that, nothing refers to its streams.
void DeviceActivity::State::write_streams(log::Writer& writer) {
  if (__atomic_load_n(&stream_count, __ATOMIC_RELAXED) == 0) return;
  const SpinLock lock(stream_lock);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < stream_count; ++i) {
    const Stream& stream = streams[i];
    const uint32_t context = rows.context_of(stream.device);
    if (context == 0 && stream.number != stream.handle) {
      streams[kept++] = stream;
      continue;
    }
    log::Stream row{};
    row.device = stream.device;
    row.context = context;
    row.stream = static_cast<int64_t>(stream.number);
    row.handle = static_cast<int64_t>(stream.handle);
    writer.append(row);
  }
  stream_count = kept;
}

// Before the first call there is no state: only note that another profiler was first.
void DeviceActivity::other_user(const char* function) {
  if (state_ == nullptr) {
    gave_way_ = gave_way_ || takes_cupti(function);
    return;
  }
  if (!takes_cupti(function) && !gave_way_) return;
  if (!state_->cupti.other_user(function)) return;
  gave_way_ = true;
  __atomic_store_n(&state_->gave_way_at, now_ns(), __ATOMIC_RELEASE);
  if (state_->falls_back) set_events(state_->events.start(state_->event_memory));
  say(LogLevel::kWarn, Cause::kGaveWay, "%s: another profiler takes CUPTI; device times %s meanwhile", function,
      times_with_events_ ? "come from CUDA events" : "are not recorded");
}

void DeviceActivity::other_clock(uint64_t (*clock)()) {
  if (state_ != nullptr) state_->cupti.other_clock(clock);
}

void DeviceActivity::set_recording(bool is_on) {
  if (state_ != nullptr) state_->cupti.set_recording(is_on);
}

uint32_t DeviceActivity::before_work(void* stream, const void* kernel, uint16_t function) {
  return state_->events.before_work(stream, kernel, function);
}

uint32_t DeviceActivity::before_group_end(uint16_t function) { return state_->events.before_group_end(function); }

void DeviceActivity::after_work(uint32_t token, uint64_t start, uint64_t end) {
  state_->events.after_work(token, start, end);
}

void DeviceActivity::take_call(const RecordedCall& call) {
  if (state_ != nullptr) state_->rows.add_call(call);
}

void DeviceActivity::collect(log::Writer& writer, const TickScale& scale, uint64_t drained_until_ns,
                             bool (*is_left_out)(uint64_t time)) {
  if (state_ == nullptr) return;
  State& state = *state_;
  state.rows.set_clock(drained_until_ns);
  if (is_left_out != nullptr) state.rows.leave_out(is_left_out);
  state.cupti.take_records(state.rows, writer);
  state.events.collect(state.rows, writer, scale, drained_until_ns);
  if (drained_until_ns >= state.settled_at + kSettleIntervalNs) {
    state.settled_at = drained_until_ns;
    state.rows.settle(writer, false);
  }
  state.write_streams(writer);
  state.write_drops(writer, drained_until_ns);
  if (!gave_way_ || !state.cupti.take_again_when_free(drained_until_ns)) return;
  set_events(false);
  gave_way_ = false;
  state.write_gap(writer, now_ns());
}

void DeviceActivity::State::write_drops(log::Writer& writer, uint64_t now) {
  constexpr auto kKind = log::RecordKind::kDeviceActivity;
  if (counted_at != flushed_at) append_drop(writer, now, kKind, cupti.take_dropped(), "no buffer for CUPTI");
  counted_at = flushed_at;
  append_drop(writer, now, kKind, rows.take_unfinished(), "not finished when CUPTI was given up");
  append_drop(writer, now, kKind, events.take_dropped(), "more launches under way than CUDA events");
}

void DeviceActivity::State::write_gap(log::Writer& writer, uint64_t end) {
  const uint64_t start = __atomic_exchange_n(&gave_way_at, 0, __ATOMIC_ACQUIRE);
  if (start != 0) append_gap(writer, start, end, kGapReason, log::GapScope::kDevice);
}

void DeviceActivity::flush() {
  if (state_ == nullptr) return;
  const uint64_t now = now_ns();
  if (now < state_->flushed_at + kFlushIntervalNs) return;
  state_->flushed_at = now;
  state_->cupti.flush();
}

void DeviceActivity::finish(log::Writer& writer, const TickScale& scale) {
  if (state_ == nullptr) return;
  State& state = *state_;
  const uint64_t now = now_ns();
  state.flushed_at = now;
  state.cupti.finish();
  state.rows.set_clock(now);
  state.cupti.take_records(state.rows, writer);
  state.events.collect(state.rows, writer, scale, now);
  state.rows.take_unfinished();  // work that is unfinished at the end is not a loss
  state.rows.settle(writer, true);
  state.write_streams(writer);
  state.write_drops(writer, now);
  state.write_gap(writer, now);
}

}  // namespace tauprof::capture
