#include <algorithm>

#include "limits/analysis_limits.h"
#include "steps/step_sources.h"

namespace tauprof {
namespace {

Interval recorded_time(const ProcessTrace& trace) {
  Interval all{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
  const auto cover = [&](Nanoseconds start, Nanoseconds end) {
    all.start = std::min(all.start, start);
    all.end = std::max(all.end, end);
  };
  for (const HostCall& call : trace.calls) cover(call.start, call.end + 1);
  if (trace.calls.empty())
    for (const DeviceTrace& device : trace.devices)
      for (const DeviceSpan& span : device.spans) cover(span.start, span.end);
  return all;
}

std::vector<Nanoseconds> call_starts(const ProcessTrace& trace) {
  std::vector<Nanoseconds> starts;
  for (const HostCall& call : trace.calls) starts.push_back(call.start);
  std::sort(starts.begin(), starts.end());
  return starts;
}

// The next full second after `time`.
Nanoseconds next_boundary(const ProcessTrace& trace, Nanoseconds time) {
  const Nanoseconds wall = time + trace.realtime_offset_ns;
  const Nanoseconds since = ((wall % kSliceLength) + kSliceLength) % kSliceLength;
  return time + kSliceLength - since;
}

}  // namespace

std::vector<HostStep> time_slices(const ProcessTrace& trace) {
  const Interval all = recorded_time(trace);
  if (all.end <= all.start) return {};
  std::vector<HostStep> slices{{0, all.start, all.end}};
  if (trace.calls.empty()) return slices;  // nothing says which work belongs to which slice
  const std::vector<Nanoseconds> starts = call_starts(trace);
  auto next = starts.begin();
  int64_t number = 0;
  for (Nanoseconds boundary = next_boundary(trace, all.start); boundary < all.end; boundary += kSliceLength) {
    while (next != starts.end() && *next < boundary) ++next;
    // A long silence is one slice, which counts as as many as it would be.
    const Nanoseconds silence = (next == starts.end() ? all.end : *next) - boundary;
    if (silence > kLongestSilence) {
      const int64_t skipped = silence / kSliceLength - 1;
      number += skipped;
      boundary += skipped * kSliceLength;
    }
    if (boundary - all.start < kSliceLength / 2 || all.end - boundary < kSliceLength / 2) continue;
    slices.back().end = boundary;
    slices.push_back({++number, boundary, all.end});
  }
  return slices;
}

}  // namespace tauprof
