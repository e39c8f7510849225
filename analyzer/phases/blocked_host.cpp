#include "phases/blocked_host.h"

#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool may_have_waited(const HostCall& call) {
  return launches_work(call.call_class) && call.outer == kNoIndex && call.end - call.start >= kTurnTaken;
}

std::vector<Interval> work_of(const ProcessTrace& trace) {
  std::vector<Interval> work;
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.span_class == SpanClass::kNotWork) continue;
      // Spans come by start, so that most continue the last one.
      if (!work.empty() && work.back().start <= span.start && span.start <= work.back().end)
        work.back().end = std::max(work.back().end, span.end);
      else
        work.push_back({span.start, span.end});
    }
  return work;
}

size_t count_before(const std::vector<Nanoseconds>& sorted, Nanoseconds time) {
  return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), time) - sorted.begin());
}

}  // namespace

CoveredTime::CoveredTime(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Nanoseconds length = 0;
  for (const Interval& interval : intervals) {
    if (interval.is_empty()) continue;
    if (!parts_.empty() && interval.start <= parts_.back().end) {
      const Nanoseconds end = std::max(parts_.back().end, interval.end);
      length += end - parts_.back().end;
      parts_.back().end = end;
      continue;
    }
    before_part_.push_back(length);
    parts_.push_back(interval);
    length += interval.length();
  }
}

Nanoseconds CoveredTime::covered_until(Nanoseconds time) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), time,
                                      [](Nanoseconds at, const Interval& part) { return at < part.start; });
  if (after == parts_.begin()) return 0;
  const Interval& part = *(after - 1);
  return before_part_[static_cast<size_t>(after - 1 - parts_.begin())] + std::min(time, part.end) - part.start;
}

BlockedHost::BlockedHost(const ProcessTrace& trace) : busy_(work_of(trace)) {
  if (std::none_of(trace.calls.begin(), trace.calls.end(), may_have_waited)) return;
  std::vector<Nanoseconds> start_of(trace.calls.size(), INT64_MAX);
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans)
      if (span.call != kNoIndex) start_of[span.call] = std::min(start_of[span.call], span.start);
  for (size_t call = 0; call < start_of.size(); ++call) {
    if (start_of[call] == INT64_MAX) continue;
    launches_.push_back(trace.calls[call].start);
    starts_.push_back(start_of[call]);
  }
  std::sort(launches_.begin(), launches_.end());
  std::sort(starts_.begin(), starts_.end());
}

bool BlockedHost::waits_for_device(const HostCall& call) const {
  return blocks_host(call.call_class) || (may_have_waited(call) && is_queue_full(call));
}

bool BlockedHost::is_queue_full(const HostCall& call) const {
  return count_before(launches_, call.start) >= count_before(starts_, call.start) + kQueueFull;
}

}  // namespace tauprof
