#include "capture/device/cupti_activity.h"

#include <stdio.h>
#include <string.h>

#include <string_view>

#include "capture/base/clock.h"
#include "capture/base/messages.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kQuietNs = 1'000'000'000;

// Callback ids have no large gaps. Versions differ in how many they know.
constexpr uint32_t kMostCallbackIds = 2048;
constexpr uint32_t kMostUnknownIds = 64;

// Another profiler was first. It is not known how much it has enabled, so it never seems to be done.
constexpr int32_t kUnknownKinds = 1 << 20;

ActivityBuffers* g_buffers;  // CUPTI's callbacks carry no context

void CUPTIAPI request_buffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  *most_records = 0;
  *buffer = g_buffers->request(*size);
}

void CUPTIAPI complete_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  g_buffers->complete(buffer, valid);
}

uint64_t CUPTIAPI monotonic_clock() { return now_ns(); }

// The clock that CUPTI uses if none is registered.
uint64_t CUPTIAPI default_clock() { return clock_ns(CLOCK_REALTIME); }

constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMCPY2,           CUPTI_ACTIVITY_KIND_MEMSET,
                                         CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,   CUPTI_ACTIVITY_KIND_CONTEXT};

// Whether a function puts work on the device: "cudaLaunchKernel_v7000", "__cudaLaunchKernel_v13000", "cuLaunchKernel".
bool submits_work(std::string_view name) {
  while (name.starts_with('_')) name.remove_prefix(1);
  if (!name.starts_with("cu")) return false;
  name.remove_prefix(name.starts_with("cuda") ? 4 : 2);
  if (name.starts_with("LaunchHostFunc")) return false;
  static constexpr std::string_view kPrefixes[] = {"Launch", "Memcpy", "Memset", "GraphLaunch"};
  for (const std::string_view prefix : kPrefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

}  // namespace

bool CuptiActivity::load(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes) {
  with_graph_nodes_ = with_graph_nodes;
  buffers_.init(buffers, bytes);
  g_buffers = &buffers_;
  if (cupti_.load(caller)) return true;
  snprintf(failure_, sizeof failure_, "%s was not found", cupti_.missing());
  return false;
}

bool CuptiActivity::start(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes) {
  if (!load(caller, buffers, bytes, with_graph_nodes)) return false;
  share_buffers();
  return take();
}

bool CuptiActivity::start_as_second(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes) {
  if (!load(caller, buffers, bytes, with_graph_nodes)) return false;
  their_kinds_ = kUnknownKinds;
  use_ = Use::kTheirs;
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
  if (result == CUPTI_SUCCESS && is_recording_) result = enable_kinds();
  if (result == CUPTI_SUCCESS) {
    __atomic_store_n(&use_, Use::kOurs, __ATOMIC_RELEASE);
    return true;
  }
  disable_kinds();
  snprintf(failure_, sizeof failure_, "%s (%d)", cupti_.result_text(result), result);
  return false;
}

// Older versions lack some kinds; only kernels are indispensable.
CUptiResult CuptiActivity::enable_kinds() {
  for (CUpti_ActivityKind kind : kKinds) {
    const CUptiResult result = cupti_.cuptiActivityEnable(kind);
    if (result != CUPTI_SUCCESS && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return result;
  }
  if (!with_graph_nodes_) cupti_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  select_calls(true);
  return CUPTI_SUCCESS;
}

void CuptiActivity::disable_kinds() {
  select_calls(false);
  if (!with_graph_nodes_) cupti_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  for (CUpti_ActivityKind kind : kKinds) cupti_.cuptiActivityDisable(kind);
}

void CuptiActivity::select_calls(bool are_wanted) {
  select_calls_of(CUPTI_CB_DOMAIN_RUNTIME_API, cupti_.cuptiActivityEnableRuntimeApi, CUPTI_ACTIVITY_KIND_RUNTIME,
                  are_wanted);
  select_calls_of(CUPTI_CB_DOMAIN_DRIVER_API, cupti_.cuptiActivityEnableDriverApi, CUPTI_ACTIVITY_KIND_DRIVER,
                  are_wanted);
}

// Selects calls by name, because every version adds ids.
void CuptiActivity::select_calls_of(CUpti_CallbackDomain domain, decltype(&::cuptiActivityEnableRuntimeApi) select,
                                    CUpti_ActivityKind kind, bool are_wanted) {
  if (select == nullptr) {
    are_wanted ? cupti_.cuptiActivityEnable(kind) : cupti_.cuptiActivityDisable(kind);
    return;
  }
  uint32_t unknown = 0;
  for (uint32_t id = 1; id < kMostCallbackIds && unknown < kMostUnknownIds; ++id) {
    const char* name = nullptr;
    if (cupti_.cuptiGetCallbackName(domain, id, &name) != CUPTI_SUCCESS || name == nullptr) {
      ++unknown;
      continue;
    }
    unknown = 0;
    if (submits_work(name)) select(id, are_wanted);
  }
}

bool CuptiActivity::other_user(const char* function) {
  __atomic_store_n(&their_last_call_, now_ns(), __ATOMIC_RELAXED);
  if (strcmp(function, "cuptiActivityFlushAll") == 0) {
    __atomic_store_n(&they_flushed_, 1, __ATOMIC_RELAXED);
    return false;
  }
  __atomic_store_n(&they_flushed_, 0, __ATOMIC_RELAXED);
  if (std::string_view(function).starts_with("cuptiActivityDisable")) {
    if (__atomic_load_n(&their_kinds_, __ATOMIC_RELAXED) > 0) __atomic_sub_fetch(&their_kinds_, 1, __ATOMIC_RELAXED);
  } else if (std::string_view(function).starts_with("cuptiActivityEnable")) {
    __atomic_add_fetch(&their_kinds_, 1, __ATOMIC_RELAXED);
  }
  Use expected = Use::kOurs;
  if (!__atomic_compare_exchange_n(&use_, &expected, Use::kTheirs, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return false;
  disable_kinds();
  cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
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
  use_ = Use::kOff;
  return false;
}

void CuptiActivity::set_recording(bool is_on) {
  if (is_recording_ == is_on) return;
  is_recording_ = is_on;
  if (use() != Use::kOurs) return;
  if (is_on)
    enable_kinds();
  else
    disable_kinds();
}

bool CuptiActivity::stream_number(void* stream, uint32_t& number) const {
  return use() == Use::kOurs && cupti_.cuptiGetStreamIdEx != nullptr &&
         cupti_.cuptiGetStreamIdEx(nullptr, static_cast<CUstream>(stream), 0, &number) == CUPTI_SUCCESS;
}

void CuptiActivity::flush() {
  if (use() != Use::kOurs) return;
  const CUptiResult result = cupti_.cuptiActivityFlushAll(0);
  if (result != CUPTI_SUCCESS)
    say(LogLevel::kWarn, Cause::kDeviceTiming, "CUPTI cannot flush its records: %s (%d)", cupti_.result_text(result),
        result);
}

void CuptiActivity::finish() {
  if (use() == Use::kOurs) cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

void CuptiActivity::take_records(ActivityRows& rows, log::Writer& writer) {
  buffers_.take_completed(
      [&](uint8_t* bytes, size_t valid, bool first) { rows.take_buffer(cupti_, writer, bytes, valid, first); });
}

uint64_t CuptiActivity::take_dropped() {
  size_t dropped = 0;
  if (use() != Use::kOurs || cupti_.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS) return 0;
  return dropped;
}

}  // namespace tauprof::capture
