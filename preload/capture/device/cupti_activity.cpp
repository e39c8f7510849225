#include "capture/device/cupti_activity.h"

#include <stdio.h>
#include <string.h>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/device/cupti_rows.h"
#include "capture/rings/own_time.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

// Records are switched off after this time though buffers with earlier ones are missing: another client may have freed
// one, or its work may never end.
constexpr uint64_t kLongestDrainNs = 10'000'000'000;

// A kernel may take long. If work goes on after a forced flush, it was no hang, and the next one waits twice as long.
constexpr uint64_t kFirstPatienceNs = 5'000'000'000;

CuptiActivity* g_activity;  // CUPTI's callbacks carry no context

}  // namespace

void CUPTIAPI CuptiActivity::request_buffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  const OwnTime time(OwnWork::kCupti, is_recorded_thread());
  *buffer = g_activity->buffers_.request(*size, *most_records, now_ns());
}

// Scratch is free again at once: the writer thread may be far behind.
void CUPTIAPI CuptiActivity::complete_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  const OwnTime time(OwnWork::kCupti, is_recorded_thread());
  CuptiActivity& self = *g_activity;
  if (self.buffers_.is_scratch(buffer)) {
    __atomic_add_fetch(&self.lost_in_scratch_, self.work_in(buffer, valid), __ATOMIC_RELAXED);
    return self.buffers_.give_back_scratch(buffer);
  }
  self.buffers_.complete(buffer, valid, now_ns(), __atomic_load_n(&self.forced_, __ATOMIC_RELAXED));
}

void CUPTIAPI CuptiActivity::request_buffer_beside(uint8_t** buffer, size_t* size, size_t* most_records, const void*) {
  request_buffer(buffer, size, most_records);
}

void CUPTIAPI CuptiActivity::complete_buffer_beside(uint8_t* buffer, size_t size, size_t valid, const void*) {
  complete_buffer(nullptr, 0, buffer, size, valid);
}

uint64_t CuptiActivity::work_in(uint8_t* buffer, size_t valid) const {
  uint64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (acting().cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    count += is_work(record_as<uint32_t>(reinterpret_cast<const uint8_t*>(record)));
  return count;
}

bool CuptiActivity::fail(const char* what, CUptiResult result) {
  snprintf(failure_, sizeof failure_, "%s%s (%d)", what, cupti_.result_text(result), result);
  return false;
}

bool CuptiActivity::start(const Setup& setup) {
  if (!cupti_.load()) {
    snprintf(failure_, sizeof failure_, "%s was not found", cupti_.missing());
    return false;
  }
  uint32_t version = 0;
  cupti_.cuptiGetVersion(&version);
  quirks_ = cupti_quirks(version);
  with_graph_nodes_ = setup.with_graph_nodes || quirks_.graph_copies_crash;
  kinds_.init(cupti_, with_graph_nodes_);
  can_join_ = quirks_.subscribers_have_clocks && subscription_.load(cupti_);
  buffers_.init(setup.buffer_bytes, !quirks_.refused_buffer_crashes);
  is_wanted_ = setup.is_recording;
  patience_ns_ = kFirstPatienceNs;
  g_activity = this;
  if (setup.other_has_it) {
    others_.was_first();
    lent_.give(now_ns());
    use_ = Use::kTheirs;
    return true;
  }
  if (is_held_by_a_tool(setup)) return join();
  share_buffers();
  return take() || join();
}

// By default every thread that launches work holds a buffer of its own, even after it has ended: hundreds of
// short-lived threads would hold more memory than we may take. This attribute must be set first of all.
void CuptiActivity::share_buffers() {
  if (cupti_.cuptiActivitySetAttribute == nullptr) return;
  uint8_t per_thread = 0;
  size_t size = sizeof per_thread;
  cupti_.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &per_thread);
}

void CuptiActivity::set_recording(bool is_wanted) {
  if (!is_wanted && __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&last_request_, buffers_.requests(), __ATOMIC_RELAXED);
    __atomic_store_n(&unwanted_since_, now_ns(), __ATOMIC_RELAXED);
  }
  __atomic_store_n(&is_wanted_, is_wanted, __ATOMIC_RELEASE);
}

bool CuptiActivity::has_drained() const {
  const uint64_t since = __atomic_load_n(&unwanted_since_, __ATOMIC_RELAXED);
  const bool is_complete =
      oldest_launch_ >= since && buffers_.are_back(__atomic_load_n(&last_request_, __ATOMIC_RELAXED));
  return is_complete || now_ns() >= since + kLongestDrainNs;
}

bool CuptiActivity::is_switch_due(bool is_wanted, bool may_disable) const {
  if (is_wanted) return !has_records();
  return has_records() && may_disable && !stays_on() && has_drained();
}

log::DeviceTimesState CuptiActivity::times_state() const {
  using State = log::DeviceTimesState;
  if (use() != Use::kOurs) return use() == Use::kTheirs ? State::kLent : State::kRefused;
  if (__atomic_load_n(&is_switching_, __ATOMIC_ACQUIRE) != 0) return State::kSwitching;
  const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
  if (has_records() != is_wanted) return State::kSwitching;
  return is_wanted ? State::kTaken : State::kOff;
}

// Threads do not wait for each other here: whoever switches looks once more afterwards.
void CuptiActivity::follow_wish(bool may_disable) {
  const auto is_due = [&] { return is_switch_due(__atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE), may_disable); };
  while (use() == Use::kOurs && !is_quiet() && is_due()) {
    const OwnTime time(OwnWork::kCupti, is_recorded_thread());
    if (__atomic_exchange_n(&is_switching_, 1, __ATOMIC_ACQ_REL) != 0) return;
    // Another thread may have switched since.
    const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
    if (is_switch_due(is_wanted, may_disable)) switch_records(is_wanted);
    __atomic_store_n(&is_switching_, 0, __ATOMIC_RELEASE);
  }
}

void CuptiActivity::switch_records(bool is_wanted) {
  if (!is_wanted) {
    kinds_.disable(true);
  } else if (const CUptiResult result = kinds_.enable()) {
    fail("", result);
    leave("");
    __atomic_store_n(&has_refused_, true, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&records_, is_wanted, __ATOMIC_RELEASE);
}

bool CuptiActivity::stream_number(void* stream, uint32_t& number) const {
  if (use() != Use::kOurs || cupti_.cuptiGetStreamIdEx == nullptr) return false;
  const OwnTime time(OwnWork::kCupti);
  return cupti_.cuptiGetStreamIdEx(nullptr, static_cast<CUstream>(stream), 0, &number) == CUPTI_SUCCESS;
}

// A buffer that a flush leaves with CUPTI has unfinished work in it. While other buffers come, that is a busy device.
// Requests say nothing: a thread that asks for an event makes records while the device hangs.
bool CuptiActivity::flush(uint64_t now) {
  if (use() != Use::kOurs || (!has_records() && buffers_.use().lent == 0)) return true;
  const CUptiResult result = cupti_.cuptiActivityFlushAll(0);
  if (result != CUPTI_SUCCESS) {
    say(LogLevel::kWarn, Cause::kDeviceTiming, "CUPTI cannot flush its records: %s (%d)", cupti_.result_text(result),
        result);
    return false;
  }
  const ActivityBuffers::Use use = buffers_.use();
  if (quirks_.flush_can_crash || is_beside() || use.lent == 0 || use.waits_since <= forced_at_ ||
      now < use.waits_since + patience_ns_)
    return true;
  flush_forced(Forced::kWorkIsStuck);
  forced_at_ = now_ns();
  patience_ns_ *= 2;
  return true;
}

// Without force, a flush hands over all but buffers with unfinished work.
void CuptiActivity::finish() {
  if (use() != Use::kOurs) return;
  if (quirks_.flush_can_crash)
    cupti_.cuptiActivityFlushAll(0);
  else
    flush_forced(Forced::kEnding);
}

// A flush is of all subscribers' buffers.
void CuptiActivity::flush_forced(Forced why) {
  if (is_beside() && !subscription_.is_alone()) {
    cupti_.cuptiActivityFlushAll(0);
    return;
  }
  __atomic_store_n(&forced_, why, __ATOMIC_RELAXED);
  cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  __atomic_store_n(&forced_, Forced::kNot, __ATOMIC_RELAXED);
}

void CuptiActivity::take_records(ActivityRows& rows, log::Writer& writer) {
  buffers_.take_completed([&](uint8_t* bytes, size_t valid, Forced forced, bool first) {
    rows.take_buffer(acting(), writer, bytes, valid, forced, first);
  });
}

uint64_t CuptiActivity::take_dropped() {
  size_t dropped = 0;
  if (use() != Use::kOurs || acting().cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS)
    return 0;
  return dropped;
}

uint64_t CuptiActivity::take_lost_in_scratch() { return __atomic_exchange_n(&lost_in_scratch_, 0, __ATOMIC_RELAXED); }

void CuptiActivity::write_facts(log::Writer& writer) const {
  if (quirks_.cpu_time_grows) put_attribute(writer, "cupti_cpu_time_grows", "until CUDA 13.4 Update 1");
  if (acting().cuptiActivityGetAttribute == nullptr) return;
  const struct {
    CUpti_ActivityAttribute number;
    const char* name;
  } facts[] = {{CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, "cupti_device_buffer_bytes"},
               {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, "cupti_device_buffers_at_start"},
               {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, "cupti_device_buffers_at_most"}};
  for (const auto& fact : facts) {
    size_t value = 0, size = sizeof value;
    if (acting().cuptiActivityGetAttribute(fact.number, &size, &value) == CUPTI_SUCCESS)
      put_attribute(writer, fact.name, static_cast<uint64_t>(value));
  }
}

}  // namespace tauprof::capture
