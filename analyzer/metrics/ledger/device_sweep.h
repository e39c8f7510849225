// Walks a device's work in time order and divides it into segments wherever a span starts or ends.
//
// The set of running spans is constant within a segment, so every metric is a sum over segments. Cost: O(n log a) for n
// spans, at most a of them running at once.
#pragma once

#include <queue>
#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// The spans that are running at the sweep's current time.
class ActiveSpans {
 public:
  ActiveSpans(const ProcessTrace& trace, const std::vector<DeviceSpan>& spans) : trace_(trace), spans_(spans) {}

  void start(uint32_t span);
  // Ends everything that ends at or before `time`; calls ended(span) for each.
  template <class Ended>
  void end_until(Nanoseconds time, Ended&& ended) {
    while (!by_end_.empty() && spans_[by_end_.top().second].end <= time) {
      const uint32_t span = by_end_.top().second;
      by_end_.pop();
      remove(span);
      ended(span);
    }
  }
  bool is_empty() const { return by_end_.empty(); }
  Nanoseconds next_end() const { return by_end_.top().first; }

  bool runs(SpanClass span_class) const { return count_[static_cast<size_t>(span_class)] > 0; }
  // The running span of a class that was launched last.
  uint32_t latest(SpanClass span_class);
  // Those of communication, in any order.
  const std::vector<uint32_t>& comm() const { return comm_; }
  // A bit for each phase that has a running span.
  uint32_t phases() const { return phase_bits_; }

  // When the host launched the span, which orders spans that run together.
  Nanoseconds launch_time(uint32_t span) const {
    const uint32_t call = spans_[span].call;
    return call == kNoIndex ? spans_[span].start : trace_.calls[call].start;
  }

 private:
  using Entry = std::pair<Nanoseconds, uint32_t>;
  void remove(uint32_t span);

  const ProcessTrace& trace_;
  const std::vector<DeviceSpan>& spans_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> by_end_;
  std::vector<Entry> by_launch_[kWorkClassCount];  // heaps; may hold spans that have ended
  uint32_t count_[kWorkClassCount] = {};
  uint32_t phase_count_[kPhaseCount] = {};
  uint32_t phase_bits_ = 0;
  Nanoseconds now_ = 0;
  std::vector<uint32_t> comm_;
  std::unordered_map<uint32_t, size_t> comm_position_;

  template <class Visitor>
  friend void sweep_device(const ProcessTrace&, const DeviceTrace&, Visitor&, Interval);
};

// Calls, in time order:
//   visitor.segment(Interval, ActiveSpans&)   something runs
//   visitor.gap(Interval, uint32_t span)      nothing runs until `span` starts; kNoIndex: none does any more
//   visitor.started(span), visitor.ended(span)
// Skips synchronisation records. A span without length ends a gap but runs in no segment. Goes from the first span to
// the last, and further to the bounds of `least`.
template <class Visitor>
void sweep_device(const ProcessTrace& trace, const DeviceTrace& device, Visitor& visitor, Interval least) {
  const auto& spans = device.spans;
  ActiveSpans active(trace, spans);
  const auto is_work = [&](uint32_t i) { return spans[i].span_class != SpanClass::kNotWork; };
  const auto ended = [&](uint32_t span) { visitor.ended(span); };
  uint32_t next = 0;
  const auto skip = [&] {
    while (next < spans.size() && !is_work(next)) ++next;
  };
  skip();
  if (next == spans.size()) return;
  Nanoseconds time = std::min(spans[next].start, least.start);
  while (next < spans.size() || !active.is_empty()) {
    if (active.is_empty() && spans[next].start > time) {
      uint32_t first = next;  // of the spans that end the gap, the one launched first
      for (uint32_t i = next; i < spans.size() && spans[i].start == spans[next].start; ++i)
        if (is_work(i) && active.launch_time(i) < active.launch_time(first)) first = i;
      visitor.gap(Interval{time, spans[next].start}, first);
      time = spans[next].start;
    }
    for (; next < spans.size() && spans[next].start <= time; ++next, skip()) {
      if (spans[next].end > spans[next].start) active.start(next);
      visitor.started(next);
      if (spans[next].end <= spans[next].start) visitor.ended(next);
    }
    if (active.is_empty()) continue;
    const Nanoseconds until = next < spans.size() ? std::min(spans[next].start, active.next_end()) : active.next_end();
    active.now_ = time;
    if (until > time) visitor.segment(Interval{time, until}, active);
    time = until;
    active.end_until(time, ended);
  }
  if (time < least.end) visitor.gap(Interval{time, least.end}, kNoIndex);
}

}  // namespace tauprof
