#include "steps/time_slices.h"

#include <algorithm>

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

// The first cut behind `time`.
Nanoseconds next_cut(const ProcessTrace& trace, Nanoseconds time) {
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
  for (Nanoseconds cut = next_cut(trace, all.start); cut < all.end; cut += kSliceLength) {
    if (cut - all.start < kSliceLength / 2 || all.end - cut < kSliceLength / 2) continue;
    slices.back().end = cut;
    slices.push_back({static_cast<int64_t>(slices.size()), cut, all.end});
  }
  return slices;
}

}  // namespace tauprof
