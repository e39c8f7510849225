// Whether a host stood still, in traces without CPU clocks (idle_cause.h).
#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/ledger/idle_cause.h"
#include "phases/call_order.h"

namespace tauprof {

void IdleCause::index_range_boundaries() const {
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

bool IdleCause::seems_stalled(Interval stretch, uint32_t next) const {
  if (stretch.length() <= kSilentStretch) return false;
  const auto [known, is_new] = is_silent_before_.try_emplace(next, false);
  if (is_new) known->second = is_silent(stretch, trace_.calls[next].thread);
  return known->second;
}

bool IdleCause::is_silent(Interval stretch, uint16_t thread) const {
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

Nanoseconds IdleCause::longest_silence(Interval stretch, uint16_t thread) const {
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
