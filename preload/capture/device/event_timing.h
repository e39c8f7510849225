// Device times from pairs of CUDA events around launches, for where CUPTI cannot be had.
//
// An event is recorded on the stream before and after the call; the writer thread asks whether both have passed, and
// never waits for one. Events tell only how far apart they are. So for each device one event, the anchor, is recorded
// now and then on a stream of our own, at a host time that is known to within the time it takes to see it pass; the
// others count from there. Times are as good as that: some microseconds, and the pair's own cost is in them.
//
// Nothing is recorded while a stream is captured. The work of an NCCL group is launched by ncclGroupEnd: each stream
// that the group's calls named gets a pair around that call. Events are kept and used again; where all are under way
// the launch is not timed, and is counted.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/device/activity_rows.h"
#include "capture/ticks.h"

namespace tauprof::capture {

class EventTiming {
 public:
  static size_t bytes();
  // `memory`: of bytes(), zeroed. False, and said why, where the runtime's functions cannot be had.
  bool start(void* memory);

  // ---- Application threads ----
  uint32_t before_work(void* stream, const void* kernel, uint16_t function);
  uint32_t before_group_end(uint16_t function);
  // `start`, `end`: the call's, in ticks.
  void after_work(uint32_t token, uint64_t start, uint64_t end);

  // ---- The writer thread ----
  void collect(ActivityRows& rows, log::Writer& writer, const TickScale& scale, uint64_t now);
  uint64_t take_dropped();

 private:
  static constexpr uint32_t kMostPairs = 4096;
  static constexpr uint32_t kMostDevices = 32;
  static constexpr uint32_t kMostQueries = 1024;  // a cycle
  static constexpr uint32_t kNone = 0;            // pairs count from 1

  struct Pair {
    cudaEvent_t begin, end;
    const void* kernel;
    cudaStream_t stream;
    uint64_t begun;                 // ticks: the first event has been recorded
    uint64_t call_start, call_end;  // ticks
    uint32_t thread_id;
    uint32_t next;
    uint32_t sibling;  // another pair of the same call
    uint16_t function;
    uint8_t device;
  };
  struct Device {
    uint64_t free;  // a stack of pairs: its top in the low half, a count of changes in the high half
    cudaStream_t stream;
    cudaEvent_t anchor;
    uint64_t anchor_ns;  // 0: no anchor yet
    uint64_t anchored_at;
  };

  uint32_t begin_pair(cudaStream_t stream, const void* kernel, uint16_t function);
  void end_pair(uint32_t pair, uint64_t start, uint64_t end);
  uint32_t take_pair(uint8_t device);
  uint32_t make_pair(uint8_t device);
  void give_back(uint32_t pair);
  bool succeeded(cudaError_t result) const;
  bool is_captured(cudaStream_t stream) const;
  void take_submitted();
  // False: it has not passed yet.
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
  uint32_t* waiting_ = nullptr;  // pairs under way, oldest first
  uint32_t waiting_count_ = 0;
  bool is_relaxed_ = false;  // the writer thread's stream capture mode
};

}  // namespace tauprof::capture
