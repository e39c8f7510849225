#include "capture/device/cupti_activity.h"

#include <stdio.h>
#include <string.h>

#include <string_view>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/device/cupti_rows.h"
#include "capture/rings/own_time.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kQuietNs = 1'000'000'000;
constexpr uint64_t kLongestLaunchNs = 1'000'000'000;  // calls are switched off so much later; rows wait as long

// A kernel may take long. If work goes on after a forced flush, it was no hang, and the next one waits twice as long.
constexpr uint64_t kFirstPatienceNs = 5'000'000'000;

// Another profiler was first. It is not known how much it has enabled, so it never seems to be done.
constexpr int32_t kUnknownKinds = 1 << 20;
// A client with functions of its own, until it unsubscribes.
constexpr int32_t kSubscribed = 1 << 21;

CuptiActivity* g_activity;  // CUPTI's callbacks carry no context

uint64_t CUPTIAPI monotonic_clock() { return now_ns(); }

// The clock that CUPTI uses if none is registered.
uint64_t CUPTIAPI default_clock() { return clock_ns(CLOCK_REALTIME); }

void CUPTIAPI ignore_callback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

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

uint64_t CuptiActivity::work_in(uint8_t* buffer, size_t valid) const {
  uint64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (cupti_.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    count += is_work(record_as<uint32_t>(reinterpret_cast<const uint8_t*>(record)));
  return count;
}

bool CuptiActivity::fail(const char* what, CUptiResult result) {
  snprintf(failure_, sizeof failure_, "%s%s (%d)", what, cupti_.result_text(result), result);
  return false;
}

bool CuptiActivity::start(const Setup& setup) {
  if (!cupti_.load(setup.caller)) {
    snprintf(failure_, sizeof failure_, "%s was not found", cupti_.missing());
    return false;
  }
  uint32_t version = 0;
  cupti_.cuptiGetVersion(&version);
  quirks_ = cupti_quirks(version);
  kinds_.init(cupti_, setup.with_graph_nodes || quirks_.graph_copies_crash);
  buffers_.init(setup.buffer_bytes, !quirks_.refused_buffer_crashes);
  is_wanted_ = setup.is_recording;
  patience_ns_ = kFirstPatienceNs;
  g_activity = this;
  if (setup.other_has_it) {
    their_kinds_ = kUnknownKinds;
    use_ = Use::kTheirs;
    return true;
  }
  if (is_held_by_a_tool(setup)) return false;
  share_buffers();
  return take();
}

// NVIDIA asks every client to subscribe before it starts, because Nsight and cuda-gdb hold the subscription. A client
// in this process that only watches callbacks holds it, too, and takes no records away.
bool CuptiActivity::is_held_by_a_tool(const Setup& setup) {
  if (setup.others_are_subscribed) return false;
  CUpti_SubscriberHandle subscriber;
  const CUptiResult result = cupti_.cuptiSubscribe(&subscriber, ignore_callback, nullptr);
  if (result == CUPTI_SUCCESS) cupti_.cuptiUnsubscribe(subscriber);
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) return false;
  fail("another tool has it, such as Nsight: ", result);
  return true;
}

// By default every thread that launches work holds a buffer of its own, even after it has ended: hundreds of
// short-lived threads would hold more memory than we may take. This attribute must be set first of all.
void CuptiActivity::share_buffers() {
  if (cupti_.cuptiActivitySetAttribute == nullptr) return;
  uint8_t per_thread = 0;
  size_t size = sizeof per_thread;
  cupti_.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &per_thread);
}

// The clock comes first: no record may be made with another.
bool CuptiActivity::take() {
  CUptiResult result = cupti_.cuptiActivityRegisterTimestampCallback(monotonic_clock);
  if (result == CUPTI_SUCCESS) result = cupti_.cuptiActivityRegisterCallbacks(request_buffer, complete_buffer);
  cupti_.cuptiGetThreadIdType(&their_thread_ids_);
  cupti_.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
  if (result == CUPTI_SUCCESS && is_wanted) result = kinds_.enable();
  if (result != CUPTI_SUCCESS) return fail("", result);
  records_ = is_wanted ? Records::kAll : Records::kNone;
  __atomic_store_n(&use_, Use::kOurs, __ATOMIC_RELEASE);
  return true;
}

bool CuptiActivity::other_user(const char* function) {
  __atomic_store_n(&their_last_call_, now_ns(), __ATOMIC_RELAXED);
  const std::string_view name(function);
  if (name.starts_with("cuptiActivityFlush")) {
    __atomic_store_n(&they_flushed_, 1, __ATOMIC_RELAXED);
    return false;
  }
  __atomic_store_n(&they_flushed_, 0, __ATOMIC_RELAXED);
  const bool is_subscribed = __atomic_load_n(&their_kinds_, __ATOMIC_RELAXED) >= kSubscribed;
  if (name == "cuptiSubscribe_v2" && quirks_.subscribers_exclude_us) {
    __atomic_store_n(&their_kinds_, kSubscribed, __ATOMIC_RELAXED);
  } else if (name == "cuptiFinalize" || (name == "cuptiUnsubscribe" && is_subscribed)) {
    __atomic_store_n(&their_kinds_, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&they_flushed_, 1, __ATOMIC_RELAXED);
  } else if (name.starts_with("cuptiActivityDisable")) {
    if (__atomic_load_n(&their_kinds_, __ATOMIC_RELAXED) > 0) __atomic_sub_fetch(&their_kinds_, 1, __ATOMIC_RELAXED);
  } else if (name.starts_with("cuptiActivityEnable") && name.find("Api") == name.npos) {
    __atomic_add_fetch(&their_kinds_, 1, __ATOMIC_RELAXED);
  }
  Use expected = Use::kOurs;
  if (!__atomic_compare_exchange_n(&use_, &expected, Use::kTheirs, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return false;
  kinds_.disable(!quirks_.disable_can_deadlock);
  flush_forced(Forced::kGivingWay);
  cupti_.cuptiActivityRegisterTimestampCallback(their_clock_ != nullptr ? their_clock_ : default_clock);
  cupti_.cuptiSetThreadIdType(their_thread_ids_);
  return true;
}

bool CuptiActivity::take_again_when_free(uint64_t now) {
  if (use() != Use::kTheirs || __atomic_load_n(&they_flushed_, __ATOMIC_RELAXED) == 0 ||
      __atomic_load_n(&their_kinds_, __ATOMIC_RELAXED) > 0)
    return false;
  const uint64_t last = __atomic_load_n(&their_last_call_, __ATOMIC_RELAXED);
  if (now < last + kQuietNs) return false;
  if (take()) return true;
  kinds_.disable(!quirks_.disable_can_deadlock);
  leave("");
  __atomic_store_n(&has_refused_, true, __ATOMIC_RELEASE);
  return false;
}

bool CuptiActivity::is_switch_due(bool is_wanted, bool may_disable) const {
  const Records records = __atomic_load_n(&records_, __ATOMIC_ACQUIRE);
  if (is_wanted) return records != Records::kAll;
  if (records == Records::kNone || !may_disable || stays_on()) return false;
  return records == Records::kAll || now_ns() >= work_off_at_ + kLongestLaunchNs;
}

// Threads do not wait for each other here: whoever switches looks once more afterwards.
void CuptiActivity::follow_wish(bool may_disable) {
  while (use() == Use::kOurs && is_switch_due(__atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE), may_disable)) {
    const OwnTime time(OwnWork::kCupti, is_recorded_thread());
    if (__atomic_exchange_n(&is_switching_, 1, __ATOMIC_ACQ_REL) != 0) return;
    // Another thread may have switched since.
    const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
    if (is_switch_due(is_wanted, may_disable)) switch_records(is_wanted);
    __atomic_store_n(&is_switching_, 0, __ATOMIC_RELEASE);
  }
}

void CuptiActivity::switch_records(bool is_wanted) {
  Records after = is_wanted ? Records::kAll : Records::kNone;
  if (is_wanted) {
    if (const CUptiResult result = kinds_.enable()) {
      fail("", result);
      leave("");
      __atomic_store_n(&has_refused_, true, __ATOMIC_RELEASE);
    }
  } else if (__atomic_load_n(&records_, __ATOMIC_RELAXED) == Records::kAll) {
    kinds_.disable_work(true);
    work_off_at_ = now_ns();
    after = Records::kCalls;
  } else {
    kinds_.disable_calls();
  }
  __atomic_store_n(&records_, after, __ATOMIC_RELEASE);
}

bool CuptiActivity::stream_number(void* stream, uint32_t& number) const {
  if (use() != Use::kOurs || cupti_.cuptiGetStreamIdEx == nullptr) return false;
  const OwnTime time(OwnWork::kCupti);
  return cupti_.cuptiGetStreamIdEx(nullptr, static_cast<CUstream>(stream), 0, &number) == CUPTI_SUCCESS;
}

// A buffer that a flush leaves with CUPTI has unfinished work in it. While other buffers come, that is a busy device.
bool CuptiActivity::flush(uint64_t now) {
  if (use() != Use::kOurs) return true;
  const CUptiResult result = cupti_.cuptiActivityFlushAll(0);
  if (result != CUPTI_SUCCESS) {
    say(LogLevel::kWarn, Cause::kDeviceTiming, "CUPTI cannot flush its records: %s (%d)", cupti_.result_text(result),
        result);
    return false;
  }
  const ActivityBuffers::Use use = buffers_.use();
  if (quirks_.flush_can_crash || use.lent == 0 || use.changed_at <= forced_at_ || now < use.changed_at + patience_ns_)
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

void CuptiActivity::flush_forced(Forced why) {
  __atomic_store_n(&forced_, why, __ATOMIC_RELAXED);
  cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  __atomic_store_n(&forced_, Forced::kNot, __ATOMIC_RELAXED);
}

void CuptiActivity::take_records(ActivityRows& rows, log::Writer& writer) {
  buffers_.take_completed([&](uint8_t* bytes, size_t valid, Forced forced, bool first) {
    rows.take_buffer(cupti_, writer, bytes, valid, forced, first);
  });
}

uint64_t CuptiActivity::take_dropped() {
  size_t dropped = 0;
  if (use() != Use::kOurs || cupti_.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS) return 0;
  return dropped;
}

uint64_t CuptiActivity::take_lost_in_scratch() { return __atomic_exchange_n(&lost_in_scratch_, 0, __ATOMIC_RELAXED); }

void CuptiActivity::write_facts(log::Writer& writer) const {
  if (quirks_.cpu_time_grows) put_attribute(writer, "cupti_cpu_time_grows", "until CUDA 13.4 Update 1");
  if (cupti_.cuptiActivityGetAttribute == nullptr) return;
  const struct {
    CUpti_ActivityAttribute number;
    const char* name;
  } facts[] = {{CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, "cupti_device_buffer_bytes"},
               {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, "cupti_device_buffers_at_start"},
               {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, "cupti_device_buffers_at_most"}};
  for (const auto& fact : facts) {
    size_t value = 0, size = sizeof value;
    if (cupti_.cuptiActivityGetAttribute(fact.number, &size, &value) == CUPTI_SUCCESS)
      put_attribute(writer, fact.name, static_cast<uint64_t>(value));
  }
}

}  // namespace tauprof::capture
