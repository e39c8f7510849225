// Device times from pairs of CUDA events around launches, for processes where CUPTI cannot be used.
//
// One event is recorded on the stream before the call and one after it. The writer thread asks whether both have passed
// and never waits for one. Two events only say how far apart they are. On each device, one more event, the anchor, is
// recorded now and then on a stream of our own, at a host time bounded by when it was recorded and seen to have passed;
// the other events count from there. Times include the cost of the pair itself.
//
// An anchor that passes at once is known to within a few microseconds. Others may wait for long, because
// CUDA_DEVICE_MAX_CONNECTIONS=1 puts all streams into one queue. Until the next anchor has passed, the one before
// stays; then it moves by no more than the new bounds say. The first anchor moves to later times while pairs prove it
// too early: none passes before it was recorded.
//
// No events are recorded while a stream is captured. ncclGroupEnd launches the work of an NCCL group, so each stream
// that the group's calls named gets a pair around that call. Events are reused. What is not timed is counted. The
// writer thread makes no context: it looks at events of a device only while the device's primary context exists.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/device/activity_rows.h"

namespace tauprof::capture {

class EventTiming {
 public:
  static size_t bytes();
  // Why work has no times.
  enum class Lost : uint8_t { kNoEvent, kFailed, kUnfinished };
  static constexpr int kLosses = 3;

  // `memory`: bytes() zeroed bytes. False: functions of the runtime are missing, which has been reported.
  bool start(void* memory);

  // ---- Application threads ----
  uint32_t before_work(void* stream, const void* kernel, uint16_t function);
  uint32_t before_group_end(uint16_t function);
  // `start` and `end` of the call, in ticks. `may_call`: the runtime may be called.
  void after_work(uint32_t token, uint64_t start, uint64_t end, bool may_call);
  // The current device is about to be reset: none of its events is used any more.
  void device_is_reset();

  // ---- The writer thread ----
  // `is_last`: waits a little where the device's clock is not known yet.
  void collect(ActivityRows& rows, log::Writer& writer, const TickScale& scale, uint64_t now, bool is_last);
  // The pairs that are still under way will not be asked for.
  void give_up();
  uint64_t take_lost(Lost reason) { return __atomic_exchange_n(&lost_[static_cast<int>(reason)], 0, __ATOMIC_RELAXED); }

 private:
  static constexpr uint32_t kMostPairs = 4096;
  static constexpr uint32_t kMostDevices = 32;
  static constexpr uint32_t kMostQueries = 1024;  // per cycle
  static constexpr uint32_t kNone = 0;            // pairs are counted from 1
  static constexpr uint64_t kNanosecondsAMillisecond = 1'000'000;

  struct Pair {
    cudaEvent_t start, end;
    const void* kernel;
    cudaStream_t stream;
    uint64_t recorded_at;           // ticks: before the first event was recorded
    uint64_t started_at;            // ticks: when the first event had been recorded
    uint64_t call_start, call_end;  // ticks
    uint32_t thread_id;
    uint32_t next;
    uint32_t sibling;  // another pair of the same call
    uint16_t function;
    uint8_t device;
    uint32_t resets;  // of the device, when the events were made
  };
  struct Device {
    uint64_t free;  // a stack of pairs: its top in the low half, the number of changes in the high half
    uint32_t resets;
    // The rest is of the writer thread.
    uint32_t anchor_resets;
    cudaStream_t stream;
    cudaEvent_t anchor, next_anchor;
    uint64_t anchor_ns;         // 0: no anchor yet
    uint64_t slack_ns;          // it may be later by as much
    uint64_t anchored_at;       // when the newest anchor was recorded or tried
    uint64_t next_recorded_ns;  // 0: no anchor is under way
    uint64_t followed_at;       // the cycle in which it was looked for
  };

  const char* find_functions();
  bool follow_libraries();
  uint32_t start_pair(cudaStream_t stream, const void* kernel, uint16_t function);
  void end_pair(uint32_t pair, uint64_t start, uint64_t end, bool may_call);
  uint32_t take_pair(uint8_t device);
  uint32_t make_pair(uint8_t device);
  void give_back(uint32_t pair);
  bool succeeded(cudaError_t result) const;
  bool is_captured(cudaStream_t stream) const;
  void take_submitted();
  // Writes the row of a pair that has passed. False: it has not passed yet.
  bool write_if_passed(ActivityRows& rows, log::Writer& writer, const TickScale& scale, Pair& pair, uint64_t now);
  void lose(Lost reason) { __atomic_add_fetch(&lost_[static_cast<int>(reason)], 1, __ATOMIC_RELAXED); }
  void fail(Pair& pair);
  bool make_events(Pair& pair);
  bool go_to(uint8_t device);
  bool has_context(uint8_t device) const;
  bool has_anchor(uint8_t device, uint64_t now);
  bool make_anchor_events(Device& device);
  void follow_anchor(Device& device, uint64_t patience_ns);
  void take_anchor(Device& device, uint64_t seen);
  int64_t place(Device& device, float to_start, uint64_t recorded) const;
  log::DeviceActivity row_of(log::Writer& writer, const Pair& pair) const;

#define TAUPROF_CUDART(name) decltype(&::name) name##_ = nullptr;
#include "capture/device/event_functions.def"
  decltype(&::cuDevicePrimaryCtxGetState) context_state_ = nullptr;

  uint32_t generation_ = 0;  // of libraries, in which the functions were found

  Pair* pairs_ = nullptr;
  uint32_t made_ = 0;
  uint32_t submitted_ = kNone;  // a stack, newest first
  uint32_t lost_[kLosses] = {};
  Device devices_[kMostDevices] = {};
  uint32_t* waiting_ = nullptr;  // pairs in flight, oldest first
  uint32_t waiting_count_ = 0;
  uint32_t device_resets_ = 0;
  int device_ = -1;          // the writer thread's
  bool is_last_ = false;     // of the calls of collect()
  bool is_relaxed_ = false;  // whether the writer thread's stream capture mode is relaxed
};

}  // namespace tauprof::capture
