// Builds the trace of a process call by call: one device, one main thread, times in nanoseconds.
#pragma once

#include <string_view>

#include "model/process_trace.h"

namespace tauprof {

inline constexpr Nanoseconds kMicro = 1000;

class TraceBuilder {
 public:
  TraceBuilder();

  // Later calls happen on this thread; the first thread is the main one.
  void switch_thread(std::string_view name);

  // Returns the call, which may be changed until the next one is added.
  HostCall& call(std::string_view function, Nanoseconds start, Nanoseconds end, Phase phase = Phase::kOther);
  // What the thread's CPU clock read at `time`: when one of its calls started or had returned.
  void cpu_clock(Nanoseconds time, Nanoseconds cpu) { trace_.cpu_readings.push_back({time, cpu, thread_}); }
  // Device work launched by the call added last; `stream`: its handle. Returns the index in the device's spans.
  uint32_t span(Nanoseconds start, Nanoseconds end, int64_t stream = 0, std::string_view kernel = {});
  uint32_t span_without_call(Nanoseconds start, Nanoseconds end);
  // A record of a synchronisation among the device's.
  void synchronization(Nanoseconds start, Nanoseconds end) {
    trace_.devices.front().spans[span_without_call(start, end)].span_class = SpanClass::kNotWork;
  }
  void range(std::string_view name, Nanoseconds start, Nanoseconds end,
             log::RangeSource source = log::RangeSource::kNvtx);
  // A mark of PyTorch's; the optimizer's number is that of an update.
  void says(MarkKind kind, Nanoseconds start, Nanoseconds end, uint64_t optimizer = 0) {
    trace_.marks.push_back({start, end, optimizer, thread_, kind});
  }
  void says_without_gradients(Nanoseconds start, Nanoseconds end) {
    says(MarkKind::kForward, start, end);
    trace_.marks.back().has_gradients = false;
  }
  void mark(std::string_view name, Nanoseconds time) {
    range(name, time, time);
    trace_.ranges.back().is_mark = true;
  }

  // The trace with everything sorted. Spans keep the order in which they were added.
  ProcessTrace& build();
  const DeviceTrace& device() const { return trace_.devices.front(); }

 private:
  NameId name(std::string_view text);
  uint32_t stream(int64_t handle);

  ProcessTrace trace_;
  uint16_t thread_ = 0;
};

}  // namespace tauprof
