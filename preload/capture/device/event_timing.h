// Device times from pairs of CUDA events around launches, for processes where CUPTI cannot be used.
//
// One event is recorded on the stream before the call and one after it. The writer thread asks whether both have passed
// and never waits for one. Two events only say how far apart they are. On each device, one more event, the anchor, is
// recorded now and then on a stream of our own, at a host time bounded by how fast we see it complete; the other events
// count from there. So times are accurate to a few microseconds. They include the cost of the pair itself.
//
// No events are recorded while a stream is captured. ncclGroupEnd launches the work of an NCCL group, so each stream
// that the group's calls named gets a pair around that call. Events are reused. While all are in flight, launches are
// not timed, but counted.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/device/activity_rows.h"

namespace tauprof::capture {

class EventTiming {
 public:
  static size_t bytes();
  // `memory`: bytes() zeroed bytes. False: functions of the runtime are missing, which has been reported.
  bool start(void* memory);

  // ---- Application threads ----
  uint32_t before_work(void* stream, const void* kernel, uint16_t function);
  uint32_t before_group_end(uint16_t function);
  // `start` and `end` of the call, in ticks.
  void after_work(uint32_t token, uint64_t start, uint64_t end);

  // ---- The writer thread ----
  void collect(ActivityRows& rows, log::Writer& writer, const TickScale& scale, uint64_t now);
  uint64_t take_dropped();

 private:
  static constexpr uint32_t kMostPairs = 4096;
  static constexpr uint32_t kMostDevices = 32;
  static constexpr uint32_t kMostQueries = 1024;  // per cycle
  static constexpr uint32_t kNone = 0;            // pairs are counted from 1

  struct Pair {
    cudaEvent_t start, end;
    const void* kernel;
    cudaStream_t stream;
    uint64_t started_at;            // ticks: when the first event had been recorded
    uint64_t call_start, call_end;  // ticks
    uint32_t thread_id;
    uint32_t next;
    uint32_t sibling;  // another pair of the same call
    uint16_t function;
    uint8_t device;
  };
  struct Device {
    uint64_t free;  // a stack of pairs: its top in the low half, the number of changes in the high half
    cudaStream_t stream;
    cudaEvent_t anchor;
    uint64_t anchor_ns;  // 0: no anchor yet
    uint64_t anchored_at;
  };

  uint32_t start_pair(cudaStream_t stream, const void* kernel, uint16_t function);
  void end_pair(uint32_t pair, uint64_t start, uint64_t end);
  uint32_t take_pair(uint8_t device);
  uint32_t make_pair(uint8_t device);
  void give_back(uint32_t pair);
  bool succeeded(cudaError_t result) const;
  bool is_captured(cudaStream_t stream) const;
  void take_submitted();
  // Writes the row of a pair that has passed. False: it has not passed yet.
  bool write_if_passed(ActivityRows& rows, log::Writer& writer, const TickScale& scale, const Pair& pair, uint64_t now);
  bool has_anchor(uint8_t device, uint64_t now);
  bool set_anchor(Device& device);
  log::DeviceActivity row_of(log::Writer& writer, const Pair& pair) const;

#define TAUPROF_CUDART(name) decltype(&::name) name##_ = nullptr;
#include "capture/device/event_functions.def"

  Pair* pairs_ = nullptr;
  uint32_t made_ = 0;
  uint32_t submitted_ = kNone;  // a stack, newest first
  uint32_t dropped_ = 0;
  Device devices_[kMostDevices] = {};
  uint32_t* waiting_ = nullptr;  // pairs in flight, oldest first
  uint32_t waiting_count_ = 0;
  bool is_relaxed_ = false;  // whether the writer thread's stream capture mode is relaxed
};

}  // namespace tauprof::capture
