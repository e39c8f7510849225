// One rank of a run as a trace of PyTorch's profiler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "export/calls_of_rank.h"
#include "export/kineto_events.h"
#include "export/repeated_names.h"
#include "export/run_writer.h"

namespace tauprof::kineto_export {

using Members = std::map<uint64_t, std::vector<int32_t>>;  // of communicators, by identity

class RankTrace {
 public:
  RankTrace(const RunView& run, const RankView& rank, const Members& members, EventFile& file);
  void write();

 private:
  void write_head();
  void write_metadata();
  void write_ranges();
  void write_steps();
  void write_calls();
  void write_spans();
  void write_call(const HostCall& call, int64_t correlation, bool launches);
  void write_span(const DeviceSpan& span, int64_t correlation);

  Nanoseconds time(Nanoseconds local) const { return local + shift_; }
  Interval time(Nanoseconds start, Nanoseconds end) const { return {time(start), time(end)}; }
  const std::string& name(NameId name) { return names_.text(name); }
  int64_t thread(size_t index) const;
  int64_t correlation_of(uint32_t call) const;
  std::string span_args(const DeviceSpan& span, int64_t correlation) const;
  double bandwidth_of(const DeviceSpan& span, int64_t correlation) const;
  std::string collective_args(const CollectiveCall& collective) const;
  std::string range_args(const HostRange& range) const;
  bool is_profiler_step(const HostRange& range) const;
  bool has_profiler_steps() const;
  bool is_step_left_out(const HostRange& range) const;

  const RunView& run_;
  const RankView& rank_;
  const ProcessTrace& trace_;
  const Members& members_;
  EventFile& file_;
  const CallsOfRank calls_;
  Nanoseconds shift_ = 0;
  Nanoseconds base_time_ = 0;  // wall clock at the trace's time 0
  int64_t process_ = 0;
  int64_t largest_correlation_ = 0;
  RepeatedNames names_;
};

}  // namespace tauprof::kineto_export
