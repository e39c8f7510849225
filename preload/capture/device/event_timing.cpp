#include "capture/device/event_timing.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "capture/base/messages.h"
#include "capture/calls/kernel_names.h"
#include "capture/calls/stream_meant.h"
#include "capture/loader/library_calls.h"
#include "capture/loader/loaded_library.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/recording.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

log::ActivityKind activity_of(std::string_view name) {
  if (name.starts_with("cudaMemcpy")) return log::ActivityKind::kMemcpy;
  if (name.starts_with("cudaMemset")) return log::ActivityKind::kMemset;
  if (name.starts_with("cudaGraphLaunch")) return log::ActivityKind::kGraph;
  return log::ActivityKind::kKernel;
}

}  // namespace

size_t EventTiming::bytes() { return (kMostPairs + 1) * (sizeof(Pair) + sizeof(uint32_t)); }

bool EventTiming::start(void* memory) {
  if (pairs_ != nullptr) return true;
  const char* const missing = find_functions();
  if (missing != nullptr) {
    say(LogLevel::kWarn, Cause::kDeviceTiming, "no device times from CUDA events: %s was not found", missing);
    return false;
  }
  pairs_ = static_cast<Pair*>(memory);
  waiting_ = reinterpret_cast<uint32_t*>(pairs_ + kMostPairs + 1);
  return true;
}

// Returns the name of one that is missing, or null.
const char* EventTiming::find_functions() {
  __atomic_store_n(&generation_, __atomic_load_n(&library_generation, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
  const char* missing = nullptr;
  const auto find = [&]<class Function>(Function& function, const char* library, const char* name) {
    __atomic_store_n(&function, reinterpret_cast<Function>(loaded_function(library, name)), __ATOMIC_RELAXED);
    return function != nullptr;
  };
#define TAUPROF_CUDART(name) \
  if (!find(name##_, "libcudart.so", #name)) missing = #name;
#include "capture/device/event_functions.def"
  find(context_state_, "libcuda.so", "cuDevicePrimaryCtxGetState");
  return missing;
}

// False: the program has unloaded the runtime. Another copy of it serves as well: events are the driver's.
bool EventTiming::follow_libraries() {
  if (__atomic_load_n(&library_generation, __ATOMIC_ACQUIRE) == __atomic_load_n(&generation_, __ATOMIC_ACQUIRE))
    return true;
  if (find_functions() == nullptr) return true;
  set_independent(kTimesWithEvents, false);
  say(LogLevel::kWarn, Cause::kDeviceTiming,
      "the program has unloaded the CUDA runtime: no more device times from CUDA events");
  return false;
}

// Whether a call that we made on an application thread succeeded. If not, clears the error, so that the program's next
// check does not find it.
bool EventTiming::succeeded(cudaError_t result) const {
  if (result != cudaSuccess) cudaGetLastError_();
  return result == cudaSuccess;
}

bool EventTiming::is_captured(cudaStream_t stream) const {
  cudaStreamCaptureStatus status;
  return !succeeded(cudaStreamIsCapturing_(stream, &status)) || status != cudaStreamCaptureStatusNone;
}

uint32_t EventTiming::before_work(void* stream, const void* kernel, uint16_t function) {
  if (thread_state.group_depth != 0 || is_quiet() || !follow_libraries()) return kNone;
  return start_pair(stream_meant(stream, function_name(function)), kernel, function);
}

uint32_t EventTiming::before_group_end(uint16_t function) {
  const ThreadState& thread = thread_state;
  if (thread.group_depth != 1 || is_quiet() || !follow_libraries()) return kNone;
  uint32_t newest = kNone;
  for (uint8_t i = 0; i < thread.group_stream_count; ++i) {
    if (i == ThreadState::kMostGroupStreams) {
      lose(Lost::kNoEvent);
      break;
    }
    const uint32_t number = start_pair(static_cast<cudaStream_t>(thread.group_streams[i]), nullptr, function);
    if (number == kNone) continue;
    pairs_[number].sibling = newest;
    newest = number;
  }
  return newest;
}

// The current device is the driver's: the program may have chosen it there.
uint32_t EventTiming::start_pair(cudaStream_t on, const void* kernel, uint16_t function) {
  int device = -1;
  if (!succeeded(cudaGetDevice_(&device)) || device >= static_cast<int>(kMostDevices) || is_captured(on)) return kNone;
  uint32_t number = take_pair(static_cast<uint8_t>(device));
  if (number == kNone) number = make_pair(static_cast<uint8_t>(device));
  if (number == kNone) {
    lose(Lost::kNoEvent);
    return kNone;
  }
  Pair& pair = pairs_[number];
  pair.recorded_at = read_ticks();
  if (!succeeded(cudaEventRecord_(pair.start, on))) {
    fail(pair);
    give_back(number);
    return kNone;
  }
  pair.kernel = kernel;
  pair.stream = on;
  pair.function = function;
  pair.sibling = kNone;
  pair.thread_id = static_cast<uint32_t>(syscall(SYS_gettid));
  pair.started_at = read_ticks();
  return number;
}

// The events are of no use, as after a reset that no hook saw: the pair's next user makes others. They are not
// destroyed, because they may be gone.
void EventTiming::fail(Pair& pair) {
  lose(Lost::kFailed);
  pair.start = pair.end = nullptr;
}

void EventTiming::device_is_reset() {
  int device = -1;
  if (pairs_ == nullptr || !succeeded(cudaGetDevice_(&device)) || device >= static_cast<int>(kMostDevices)) return;
  __atomic_add_fetch(&devices_[device].resets, 1, __ATOMIC_ACQ_REL);
}

void EventTiming::after_work(uint32_t token, uint64_t start, uint64_t end, bool may_call) {
  may_call = may_call && follow_libraries();
  while (token != kNone) {
    const uint32_t sibling = pairs_[token].sibling;
    end_pair(token, start, end, may_call);
    token = sibling;
  }
}

void EventTiming::end_pair(uint32_t number, uint64_t start, uint64_t end, bool may_call) {
  Pair& pair = pairs_[number];
  pair.call_start = start;
  pair.call_end = end;
  if (!may_call || !succeeded(cudaEventRecord_(pair.end, pair.stream))) {
    fail(pair);
    return give_back(number);
  }
  pair.next = __atomic_load_n(&submitted_, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&submitted_, &pair.next, number, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

uint32_t EventTiming::take_pair(uint8_t device) {
  uint64_t& free = devices_[device].free;
  uint64_t top = __atomic_load_n(&free, __ATOMIC_ACQUIRE);
  while (static_cast<uint32_t>(top) != kNone) {
    const uint32_t next = __atomic_load_n(&pairs_[static_cast<uint32_t>(top)].next, __ATOMIC_RELAXED);
    const uint64_t changed = ((top >> 32) + 1) << 32 | next;
    if (!__atomic_compare_exchange_n(&free, &top, changed, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) continue;
    const auto number = static_cast<uint32_t>(top);
    Pair& pair = pairs_[number];
    const bool is_stale = pair.resets != __atomic_load_n(&devices_[device].resets, __ATOMIC_ACQUIRE);
    if (pair.start != nullptr && !is_stale) return number;
    if (make_events(pair)) return number;
    give_back(number);
    return kNone;
  }
  return kNone;
}

void EventTiming::give_back(uint32_t number) {
  Pair& pair = pairs_[number];
  uint64_t& free = devices_[pair.device].free;
  uint64_t top = __atomic_load_n(&free, __ATOMIC_RELAXED), changed;
  do {
    __atomic_store_n(&pair.next, static_cast<uint32_t>(top), __ATOMIC_RELAXED);
    changed = ((top >> 32) + 1) << 32 | number;
  } while (!__atomic_compare_exchange_n(&free, &top, changed, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

uint32_t EventTiming::make_pair(uint8_t device) {
  if (__atomic_load_n(&made_, __ATOMIC_RELAXED) >= kMostPairs) return kNone;
  const uint32_t number = __atomic_add_fetch(&made_, 1, __ATOMIC_RELAXED);
  if (number > kMostPairs) return kNone;
  Pair& pair = pairs_[number];
  pair.device = device;
  if (make_events(pair)) return number;
  give_back(number);
  return kNone;
}

// Another thread's global capture forbids creating events, unless this thread's capture mode is relaxed.
bool EventTiming::make_events(Pair& pair) {
  pair.resets = __atomic_load_n(&devices_[pair.device].resets, __ATOMIC_ACQUIRE);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode_(&mode);
  const bool are_made = succeeded(cudaEventCreateWithFlags_(&pair.start, cudaEventDefault)) &&
                        succeeded(cudaEventCreateWithFlags_(&pair.end, cudaEventDefault));
  cudaThreadExchangeStreamCaptureMode_(&mode);
  if (!are_made) pair.start = nullptr;
  return are_made;
}

void EventTiming::take_submitted() {
  uint32_t newest = __atomic_exchange_n(&submitted_, kNone, __ATOMIC_ACQUIRE);
  const uint32_t first = waiting_count_;
  for (; newest != kNone; newest = pairs_[newest].next) waiting_[waiting_count_++] = newest;
  for (uint32_t low = first, high = waiting_count_; low + 1 < high; ++low) {
    const uint32_t pair = waiting_[low];
    waiting_[low] = waiting_[--high];
    waiting_[high] = pair;
  }
}

void EventTiming::collect(ActivityRows& rows, log::Writer& writer, const TickScale& scale, uint64_t now,
                          bool is_last) {
  if (pairs_ == nullptr || !follow_libraries()) return;
  is_last_ = is_last;
  take_submitted();
  uint32_t kept = 0;
  for (uint32_t i = 0; i < waiting_count_; ++i) {
    const uint32_t number = waiting_[i];
    if (kept < kMostQueries && !LibraryCalls::is_awaited() && write_if_passed(rows, writer, scale, pairs_[number], now))
      give_back(number);
    else
      waiting_[kept++] = number;
  }
  waiting_count_ = kept;
}

void EventTiming::give_up() {
  if (pairs_ == nullptr) return;
  take_submitted();
  for (uint32_t i = 0; i < waiting_count_; ++i) lose(Lost::kUnfinished);
  waiting_count_ = 0;
}

// A call of the runtime would make a context if there were none, and on device 0 if none had been chosen.
bool EventTiming::has_context(uint8_t device) const {
  unsigned flags;
  int is_active = 0;
  return context_state_ == nullptr || (context_state_(device, &flags, &is_active) == CUDA_SUCCESS && is_active != 0);
}

bool EventTiming::go_to(uint8_t device) {
  if (!has_context(device)) return false;
  const uint32_t resets = __atomic_load_n(&devices_[device].resets, __ATOMIC_ACQUIRE);
  if ((device_ != device || device_resets_ != resets) && cudaSetDevice_(device) != cudaSuccess) return false;
  device_ = device;
  device_resets_ = resets;
  if (!is_relaxed_) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    is_relaxed_ = cudaThreadExchangeStreamCaptureMode_(&mode) == cudaSuccess;
  }
  return true;
}

bool EventTiming::write_if_passed(ActivityRows& rows, log::Writer& writer, const TickScale& scale, Pair& pair,
                                  uint64_t now) {
  Device& device = devices_[pair.device];
  if (pair.resets != __atomic_load_n(&device.resets, __ATOMIC_ACQUIRE) || !go_to(pair.device)) {
    fail(pair);
    return true;
  }
  const cudaError_t state = cudaEventQuery_(pair.end);
  if (state == cudaErrorNotReady || (state == cudaSuccess && !has_anchor(pair.device, now))) return false;
  float to_start, length;
  if (state != cudaSuccess || cudaEventElapsedTime_(&to_start, device.anchor, pair.start) != cudaSuccess ||
      cudaEventElapsedTime_(&length, pair.start, pair.end) != cudaSuccess) {
    fail(pair);
    return true;
  }
  log::DeviceActivity row = row_of(writer, pair);
  row.start = place(device, to_start, scale.to_ns(pair.recorded_at));
  row.duration = static_cast<int64_t>(static_cast<double>(length) * kNanosecondsAMillisecond);
  // No work starts before its launch, but the anchor may be some microseconds late. If, on the other hand, the thread
  // lost its processor between the first event and the launch, an idle stream passed the event long before the work.
  const uint64_t call_start = scale.to_ns(pair.call_start), call_end = scale.to_ns(pair.call_end);
  if (const int64_t early = static_cast<int64_t>(call_start) - row.start; early > 0) {
    const auto lost = static_cast<int64_t>(call_start - scale.to_ns(pair.started_at));
    row.start += early;
    row.duration -= std::min({early, lost, row.duration});
  }
  rows.add_timed(writer, row, pair.thread_id, call_start + (call_end - call_start) / 2);
  return true;
}

log::DeviceActivity EventTiming::row_of(log::Writer& writer, const Pair& pair) const {
  const char* function = function_name(pair.function);
  log::DeviceActivity row{};
  row.activity = static_cast<int64_t>(activity_of(function));
  row.device = pair.device;
  row.stream = reinterpret_cast<intptr_t>(pair.stream);  // the handle, because only CUPTI knows the number
  if (row.activity != static_cast<int64_t>(log::ActivityKind::kKernel)) return row;
  const char* kernel = pair.kernel != nullptr ? kernel_names.find(pair.kernel) : nullptr;
  row.name = intern(writer, kernel != nullptr ? kernel : function);
  return row;
}

}  // namespace tauprof::capture
