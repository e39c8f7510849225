#include "capture/writer/writer_thread.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/file_thread.h"
#include "capture/base/futex.h"
#include "capture/base/memory_budget.h"
#include "capture/base/messages.h"
#include "capture/base/own_thread.h"
#include "capture/calls/communicators.h"
#include "capture/calls/graph_contents.h"
#include "capture/device/device_activity.h"
#include "capture/framework/settings.h"
#include "capture/framework/torch_door.h"
#include "capture/rings/recorder.h"
#include "capture/rings/ring_memory.h"
#include "capture/rings/ring_pool.h"
#include "capture/rows/log_file.h"
#include "capture/rows/log_text.h"
#include "capture/rows/loss_rows.h"
#include "capture/stacks/call_stacks.h"
#include "capture/telemetry/telemetry.h"
#include "capture/window/record_window.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kShortestPause = kMillisecond;
constexpr uint64_t kLongestPause = 20 * kMillisecond;
// A record made just after a flush waits at most this long plus one pause; 100 ms are guaranteed.
constexpr uint64_t kFlushInterval = 70 * kMillisecond;
constexpr uint64_t kDeviceFlushInterval = 50 * kMillisecond;
constexpr uint64_t kCostInterval = 1000 * kMillisecond;
constexpr uint64_t kDevicesInterval = 250 * kMillisecond;
constexpr uint64_t kCpuWaitInterval = 100 * kMillisecond;
// A call that takes longer gets a row before it has returned.
constexpr uint64_t kLongCall = 1000 * kMillisecond;
// How long the program's end waits at most, for the device records and in all; and its first call, for the log.
constexpr uint64_t kLongestDeviceFinish = 1200 * kMillisecond;
constexpr uint64_t kLongestFinish = 1900 * kMillisecond;
constexpr uint64_t kLongestOpening = 1500 * kMillisecond;
constexpr uint64_t kLongestWriting = 500 * kMillisecond;
// A cycle with fewer records than this doubles the next pause.
constexpr uint64_t kFewRecords = 256;

constexpr log::RecordKind kDropRecords[kDropKinds] = {log::RecordKind::kCall,       log::RecordKind::kGemm,
                                                      log::RecordKind::kCollective, log::RecordKind::kRange,
                                                      log::RecordKind::kMark,       log::RecordKind::kChannelPhases};

}  // namespace

// All that touches the disk is done on this thread or waited for by it: a slow or missing disk must not delay the
// program. It blocks all signals: they belong to the application.
bool WriterThread::start() {
  const int error = start_own_thread(thread_, &WriterThread::run, this);
  if (error != 0) {
    say(LogLevel::kError, Cause::kRecorder, "cannot start a thread: %s; nothing is recorded", strerror(error));
    return false;
  }
  pthread_detach(thread_);
  wait_for(kRecording, kLongestOpening);
  if (move_phase(kOpening, kGivenUp))
    say(LogLevel::kError, Cause::kRecorder, "the log directory %s does not answer; nothing is recorded",
        configuration_.directory);
  return __atomic_load_n(&phase_, __ATOMIC_ACQUIRE) == kRecording;
}

bool WriterThread::open() {
  if (!open_log(writer_, configuration_.directory, placement_)) return false;
  writer_.use(memory_budget);
  write_first_facts(writer_, placement_);
  write_wishes(writer_, configuration_, call_stacks.is_on());
  if ((configuration_.categories & kCategoryTelemetry) != 0) telemetry.switch_on();
  versions_.write_new(writer_);
  writer_.flush();
  last_cost_ns_ = last_flush_ns_ = now_ns();
  return true;
}

// The phases follow each other in the order of their numbers; waiters sleep on the word.
bool WriterThread::move_phase(Phase from, Phase to) {
  uint32_t expected = from;
  if (!__atomic_compare_exchange_n(&phase_, &expected, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return false;
  futex_wake(&phase_);
  return true;
}

void WriterThread::wait_for(Phase phase, uint64_t limit_ns) {
  const uint64_t until = kernel_now_ns() + limit_ns;
  for (;;) {
    const uint32_t reached = __atomic_load_n(&phase_, __ATOMIC_ACQUIRE);
    const uint64_t now = kernel_now_ns();
    if (reached >= phase || now >= until) return;
    futex_wait(&phase_, reached, until - now);
  }
}

void WriterThread::be_the_writer() {
  prctl(PR_SET_NAME, "tauprof");
  is_recorders_thread = true;
  thread_state.inside = kOwnWork;  // all calls of this thread are the recorder's own
  thread_id_ = static_cast<uint32_t>(syscall(SYS_gettid));
  file_thread_ = start_file_thread();
}

void* WriterThread::run(void* self) {
  auto& writer = *static_cast<WriterThread*>(self);
  writer.be_the_writer();
  const bool is_open = writer.open();
  const bool is_awaited = writer.move_phase(kOpening, is_open ? kRecording : kFailed);
  if (is_open && is_awaited) {
    writer.loop();
    return nullptr;
  }
  if (is_open) writer.writer_.remove();  // given up, and the program runs without a recording
  end_file_thread();
  return nullptr;
}

void WriterThread::loop() {
  while (!__atomic_load_n(&is_stopping_, __ATOMIC_ACQUIRE)) {
    if (__atomic_load_n(&is_device_ending_, __ATOMIC_ACQUIRE) && phase_ == kRecording) finish_device();
    if (start_.may_begin()) cycle();
    write_all();
    if (is_left_alone() && leave()) return;
    writer_doorbell.wait(pause_ns_);
  }
  close();
  __atomic_store_n(&phase_, static_cast<uint32_t>(kEnded), __ATOMIC_RELEASE);
  futex_wake(&phase_);
  end_file_thread();  // the process may go on
}

void WriterThread::write_all() {
  const uint32_t asked = __atomic_load_n(&asked_to_write_, __ATOMIC_ACQUIRE);
  if (asked == has_written_) return;
  if (start_.may_use_devices()) device_activity.flush();
  cycle();
  put_attribute(writer_, log::kReplacedItself, static_cast<uint64_t>(asked));
  writer_.flush();
  __atomic_store_n(&has_written_, asked, __ATOMIC_RELEASE);
  futex_wake(&has_written_);
}

// The calls are on disk before CUPTI is asked, which may never answer: a thread that holds a lock of CUPTI's may be the
// one that is ending the process.
void WriterThread::finish_device() {
  if (phase_ != kRecording) return;
  drain_rings();
  writer_.flush();
  if (start_.may_use_devices())
    device_activity.finish(writer_, scale_);
  else
    start_.write_missing_devices(now_ns());
  writer_.flush();
  rows_.describe_devices(device_activity.devices());
  writer_.flush();
  move_phase(kRecording, kDeviceDone);
}

void WriterThread::cycle() {
  scale_.add_anchor();
  const uint64_t now = now_ns();
  record_window.follow_clock(now);
  torch_door.follow(now);
  const uint64_t records = drain_rings();
  open_calls_.write_rows(writer_, stacks_, scale_, now, kLongCall);
  collect_device_activity(now);
  communicators.write_rows(writer_);
  graph_contents.write_rows(writer_);
  find_rank(now);
  record_window.write_gaps(writer_);
  record_window.write_device_times(writer_);
  write_drops(now);
  if (phase_ == kRecording && start_.may_use_devices() && now - last_device_flush_ns_ >= kDeviceFlushInterval) {
    last_device_flush_ns_ = now;
    device_activity.flush();
  }
  flush_when_due(now);
  const uint64_t longest = call_stacks.is_on() ? PauseSampler::kLookInterval : kLongestPause;
  const uint64_t longer = pause_ns_ * 2 < longest ? pause_ns_ * 2 : longest;
  pause_ns_ = records < kFewRecords ? longer : kShortestPause;
  if (pause_ns_ < kShortestPause) pause_ns_ = kShortestPause;
}

// Device records may be on for longer than the window, so work launched outside it is left out.
void WriterThread::collect_device_activity(uint64_t now) {
  if (!start_.may_use_devices()) return;
  if (device_activity.is_draining()) device_activity.know_oldest_launch(open_calls_.oldest_launch(scale_));
  bool (*const is_left_out)(uint64_t) = [](uint64_t time) { return record_window.was_closed_at(time); };
  bool (*const is_timed)(uint64_t) = [](uint64_t time) { return record_window.were_device_times_taken_at(time); };
  device_activity.collect(writer_, scale_, now, is_left_out, record_window.is_exact(),
                          record_window.has_light_steps() ? is_timed : nullptr);
  rows_.describe_devices(device_activity.devices());
}

uint64_t WriterThread::drain_rings() {
  const uint64_t before = rows_.records();
  const uint32_t slots = ring_pool.slots();
  const bool is_short = ring_memory.take_refusal();
  for (uint32_t i = 0; i < slots; ++i) {
    RingPool::Slot& slot = ring_pool.slot(i);
    const uint32_t state = __atomic_load_n(&slot.state, __ATOMIC_ACQUIRE);
    if (state != RingPool::Slot::kLive && state != RingPool::Slot::kEnded) continue;
    if (named_[i] != slot.number) {
      named_[i] = slot.number;
      name_thread(slot);
    }
    slot.ring.drain([&](const Unit* record) {
      if (record->header.function < kRangeUnit) open_calls_.call_returned(i, record->header.start);
      rows_.take(slot, record);
      pauses_.record_ended(i, rows_.last_end());
    });
    for (unsigned kind = 0; kind < kDropKinds; ++kind)
      append_drop(writer_, now_ns(), kDropRecords[kind], slot.ring.take_drops(static_cast<DropKind>(kind)),
                  "buffer full", slot.number);
    if (is_short) slot.ring.ask_back_if_quiet();
    if (state == RingPool::Slot::kLive && call_stacks.is_on() && !open_calls_.is_in_call(i)) pauses_.look(i, slot);
    if (state != RingPool::Slot::kEnded) continue;
    open_calls_.thread_ended(writer_, i, now_ns());
    ring_pool.give_back(slot);
  }
  return rows_.records() - before;
}

void WriterThread::name_thread(const RingPool::Slot& slot) {
  log::Thread row{};
  row.thread = slot.number;
  row.os_id = slot.os_id;
  row.name = writer_.intern(slot.name, strnlen(slot.name, sizeof slot.name));
  row.is_main = slot.os_id == static_cast<uint32_t>(getpid());
  writer_.append(row);
}

void WriterThread::write_drops(uint64_t now) {
  for (unsigned kind = 0; kind < kDropKinds; ++kind)
    append_drop(writer_, now, kDropRecords[kind], ring_pool.take_refused(static_cast<DropKind>(kind)),
                "more threads than buffers");
  append_drop(writer_, now, log::RecordKind::kCall, ring_pool.take_left(), "left without returning");
  if (call_stacks.is_on())
    append_drop(writer_, now, log::RecordKind::kStack, call_stacks.take_refused(), "too many stacks");
}

// How long the thread that ends the process has waited for this one so far.
uint64_t WriterThread::waiting_for_end_ns() const {
  if (!__atomic_load_n(&is_stopping_, __ATOMIC_ACQUIRE)) return 0;
  return waited_ns_ + (finish_began_ns_ != 0 ? kernel_now_ns() - finish_began_ns_ : 0);
}

void WriterThread::write_cost(uint64_t now) {
  costs_.write(writer_, scale_, now, rows_.records(), waiting_for_end_ns(), file_thread_);
}

void WriterThread::flush_when_due(uint64_t now) {
  if (now - last_cost_ns_ >= kCostInterval) {
    last_cost_ns_ = now;
    write_cost(now);
    versions_.write_new(writer_);
    settings.write_new(writer_);
  }
  if (now - last_devices_ns_ >= kDevicesInterval) {
    last_devices_ns_ = now;
    telemetry.write_devices(writer_, now);
  }
  if (now - last_cpu_wait_ns_ >= kCpuWaitInterval) {
    last_cpu_wait_ns_ = now;
    telemetry.write_cpu_wait(writer_, now);
  }
  if (has_stopped_ || now - last_flush_ns_ < kFlushInterval) return;
  const uint64_t flushed_before = last_flush_ns_;
  last_flush_ns_ = now;
  writer_.flush();
  if (record_window.keeps_oldest()) cap_.keep_oldest();
  if (cap_.follow(writer_, now)) stop_recording(flushed_before, "TAUPROF_MAX_MB reached");
  if (!health_.follow(writer_, now)) stop_recording(now, "");
}

void WriterThread::find_rank(uint64_t now) {
  if (!found_rank_.follow(writer_, placement_) || rank_is_listed(configuration_.ranks, found_rank_.rank())) return;
  stop_recording(now, "");
  writer_.remove();
}

void WriterThread::stop_recording(uint64_t now, const char* reason) {
  has_stopped_ = true;
  end_reason_ = reason;
  stopped_ns_ = now;
  record_window.end(now);
}

void WriterThread::close() {
  finish_device();
  record_window.end(now_ns());
  scale_.add_anchor();
  const uint64_t before = now_ns();
  drain_rings();
  open_calls_.write_rows(writer_, stacks_, scale_, before, 0);
  communicators.write_rows(writer_);
  graph_contents.write_rows(writer_);
  const uint64_t now = now_ns();
  find_rank(now);
  record_window.write_gaps(writer_);
  record_window.write_device_times(writer_);
  pauses_.finish();
  if (has_stopped_) append_gap(writer_, stopped_ns_, now, end_reason_);
  write_drops(now);
  write_cost(now);
  settings.write_new(writer_);
  health_.finish(writer_, now);
  if (writer_.state_not_kept() != 0) put_attribute(writer_, "state_not_repeated", writer_.state_not_kept());
  writer_.close(static_cast<int64_t>(now), end_reason_);
  health_.closed(writer_);
}

void WriterThread::finish_device_work() {
  __atomic_store_n(&is_device_ending_, 1, __ATOMIC_SEQ_CST);
  const uint64_t before = kernel_now_ns();
  ends_here_ = take_over();
  if (!ends_here_) {
    writer_doorbell.ring();
    wait_for(kAway, kLongestDeviceFinish);
    ends_here_ = take_over();
  }
  if (ends_here_) {
    const OwnCalls own;
    finish_device();
  }
  waited_ns_ = kernel_now_ns() - before;
}

// The number of the thread has no meaning in another namespace.
bool WriterThread::is_of_this_process() const {
  const auto phase = __atomic_load_n(&phase_, __ATOMIC_ACQUIRE);
  return phase == kAway || phase == kEnded || syscall(SYS_tgkill, getpid(), thread_id_, 0) == 0 || errno != ESRCH;
}

bool WriterThread::write_all_now() {
  const uint32_t asked = __atomic_add_fetch(&asked_to_write_, 1, __ATOMIC_ACQ_REL);
  if (take_over()) {
    const OwnCalls own;
    write_all();
    be_away();
    return true;
  }
  writer_doorbell.ring();
  const uint64_t until = kernel_now_ns() + kLongestWriting;
  for (;;) {
    const uint32_t written = __atomic_load_n(&has_written_, __ATOMIC_ACQUIRE);
    const uint64_t now = kernel_now_ns();
    if (static_cast<int32_t>(written - asked) >= 0 || now >= until) return true;
    futex_wait(&has_written_, written, until - now);
  }
}

void WriterThread::finish(const char* reason) {
  if (*end_reason_ == '\0') end_reason_ = reason;
  finish_began_ns_ = kernel_now_ns();
  __atomic_store_n(&is_stopping_, 1, __ATOMIC_RELEASE);
  if (ends_here_ || take_over()) {
    const OwnCalls own;
    close();
    __atomic_store_n(&phase_, static_cast<uint32_t>(kEnded), __ATOMIC_RELEASE);
    return;
  }
  writer_doorbell.ring();
  wait_for(kEnded, waited_ns_ < kLongestFinish ? kLongestFinish - waited_ns_ : 0);
}

}  // namespace tauprof::capture
