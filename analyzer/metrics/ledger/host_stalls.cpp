#include "metrics/ledger/host_stalls.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "phases/call_order.h"

namespace tauprof {

HostStalls::HostStalls(const ProcessTrace& trace) : trace_(trace) {
  if (has_cpu_clocks()) index_cpu_clocks();
}

void HostStalls::index_cpu_clocks() {
  readings_.resize(trace_.threads.size());
  for (const CpuReading& one : trace_.cpu_readings) readings_[one.thread].push_back({one.time, one.cpu, 0});
  for (size_t thread = 0; thread + 1 < trace_.first_call.size(); ++thread) {
    uint32_t call = trace_.first_call[thread];
    Nanoseconds blocked = 0;
    for (Reading& reading : readings_[thread]) {
      for (; call < trace_.first_call[thread + 1] && trace_.calls[call].start < reading.time; ++call)
        if (blocks_host(trace_.calls[call].call_class))
          blocked = std::min(kMostCpuTime, blocked + trace_.calls[call].end - trace_.calls[call].start);
      reading.blocked = blocked;
    }
  }
}

std::optional<HostStalls::CpuTime> HostStalls::cpu_time(Interval stretch, uint32_t next) const {
  const HostCall& call = trace_.calls[next];
  if (!has_cpu_clocks()) return std::nullopt;
  const std::vector<Reading>& readings = readings_[call.thread];
  const auto later = std::lower_bound(readings.begin(), readings.end(), call.start,
                                      [](const Reading& one, Nanoseconds time) { return one.time < time; });
  if (later == readings.begin() || later == readings.end() || later->time != call.start) return std::nullopt;
  const Reading& earlier = *(later - 1);
  return CpuTime{stretch.start - earlier.time - (later->blocked - earlier.blocked), later->cpu - earlier.cpu};
}

// The CPU time used since the earlier reading is an upper bound for the stretch's. If that bound is inconclusive,
// assume the thread ran from that reading up to the stretch, except inside blocking calls, unless it used too little
// CPU time for that to be true. Behind a long call there is a reading, so none hides how its thread waited.
bool HostStalls::is_off_cpu(Interval stretch, uint32_t next) const {
  const std::optional<CpuTime> time = cpu_time(stretch, next);
  if (!time) return false;
  const double length = static_cast<double>(stretch.length());
  if (static_cast<double>(time->used) < kOnCpu * length) return true;
  if (static_cast<double>(time->used) < kRanThroughout * static_cast<double>(time->ran_before)) return false;
  return static_cast<double>(time->used) - static_cast<double>(time->ran_before) < kOnCpu * length;
}

Nanoseconds HostStalls::on_cpu(Interval stretch, uint32_t next) const {
  const std::optional<CpuTime> time = cpu_time(stretch, next);
  if (!time) return 0;
  return std::clamp<Nanoseconds>(time->used - std::max<Nanoseconds>(0, time->ran_before), 0, stretch.length());
}

void HostStalls::index_range_boundaries() {
  range_boundaries_.resize(trace_.threads.size());
  for (const HostRange& range : trace_.ranges) {
    // Only ranges that a running framework opens every few microseconds are a sign of life.
    if (range.source != log::RangeSource::kOperator && range.source != log::RangeSource::kPython) continue;
    range_boundaries_[range.thread].push_back(range.start);
    range_boundaries_[range.thread].push_back(range.end);
  }
  for (auto& boundaries : range_boundaries_) std::sort(boundaries.begin(), boundaries.end());
  for (const uint32_t call : outermost_calls_in_order(trace_)) launching_calls_.push_back(call);
}

bool HostStalls::is_silent(Interval stretch, uint32_t next) {
  if (has_cpu_clocks() || stretch.length() <= kSilentStretch) return false;
  const auto [known, is_new] = is_silent_before_.try_emplace(next, false);
  if (is_new) known->second = are_silent(stretch, trace_.calls[next].thread);
  return known->second;
}

bool HostStalls::are_silent(Interval stretch, uint16_t thread) {
  if (range_boundaries_.empty()) index_range_boundaries();
  if (range_boundaries_[thread].empty()) return false;
  // A thread that waits while another thread launches has handed its work over. What matters is what comes after that,
  // on both threads.
  uint16_t other_thread = thread;
  const auto next = std::lower_bound(launching_calls_.begin(), launching_calls_.end(), stretch.end,
                                     [&](uint32_t call, Nanoseconds time) { return trace_.calls[call].start < time; });
  for (auto other = next; other != launching_calls_.begin(); --other) {
    const HostCall& call = trace_.calls[*(other - 1)];
    if (call.start <= stretch.start) break;
    if (other == next) other_thread = call.thread;
    stretch.start = std::max(stretch.start, std::min(call.end, stretch.end));
  }
  const Nanoseconds silent = std::min(longest_silence(stretch, thread), longest_silence(stretch, other_thread));
  return silent > kSilentStretch && explains(silent, stretch.length());
}

Nanoseconds HostStalls::longest_silence(Interval stretch, uint16_t thread) const {
  const auto& boundaries = range_boundaries_[thread];
  Nanoseconds silent = 0, last = stretch.start;
  for (auto boundary = std::lower_bound(boundaries.begin(), boundaries.end(), stretch.start);
       boundary != boundaries.end() && *boundary < stretch.end; ++boundary) {
    silent = std::max(silent, *boundary - last);
    last = *boundary;
  }
  return std::max(silent, stretch.end - last);
}

}  // namespace tauprof
