// Whether a host thread was stalled before a call: off the CPU, by its CPU clock; or, in traces without such clocks, by
// its silence, where a framework otherwise opens and closes ranges every few microseconds.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class HostStalls {
 public:
  explicit HostStalls(const ProcessTrace& trace);

  bool has_cpu_clocks() const { return !trace_.cpu_readings.empty(); }
  // `next`: the call that ends the stretch. False where its thread's clock was not read.
  bool is_off_cpu(Interval stretch, uint32_t next) const;
  // How long the thread was on the CPU in such a stretch: what it used beyond running throughout before it.
  Nanoseconds on_cpu(Interval stretch, uint32_t next) const;
  // Nor did the thread that launched meanwhile show a sign of life. False where there are CPU clocks.
  bool is_silent(Interval stretch, uint32_t next);

 private:
  // A reading of a thread's clock, and how long the thread had been in blocking calls by then.
  struct Reading {
    Nanoseconds time = 0;
    Nanoseconds cpu = 0;
    Nanoseconds blocked = 0;
  };
  // From the earlier reading up to a stretch: how long the thread can have run; and what it used up to the later one.
  struct CpuTime {
    Nanoseconds ran_before = 0;
    Nanoseconds used = 0;
  };
  // Empty where the clock was not read at the stretch's end, or never before.
  std::optional<CpuTime> cpu_time(Interval stretch, uint32_t next) const;
  void index_cpu_clocks();
  void index_range_boundaries();
  bool are_silent(Interval stretch, uint16_t thread);
  // Without a start or end of the thread's operators.
  Nanoseconds longest_silence(Interval stretch, uint16_t thread) const;

  const ProcessTrace& trace_;
  std::vector<std::vector<Reading>> readings_;  // by thread, then time; empty where there are no clocks
  // By thread, sorted. Made on first use, since few traces need it.
  std::vector<std::vector<Nanoseconds>> range_boundaries_;
  std::vector<uint32_t> launching_calls_;                // of all launching threads, by start
  std::unordered_map<uint32_t, bool> is_silent_before_;  // by call: many gaps may lie before the same one
};

}  // namespace tauprof
