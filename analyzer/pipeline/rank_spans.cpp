#include <algorithm>
#include <map>
#include <string>

#include "limits/analysis_limits.h"
#include "metrics/ledger/idle_cause.h"
#include "pipeline/host_rows.h"
#include "pipeline/span_rows.h"
#include "pipeline/timeline_parts.h"

namespace tauprof {
namespace {

ShownKind kind_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kCompute:
      return ShownKind::kCompute;
    case SpanClass::kFused:
      return ShownKind::kFused;
    case SpanClass::kComm:
      return ShownKind::kComm;
    case SpanClass::kCopy:
      return ShownKind::kCopy;
    default:
      return ShownKind::kUnclassified;
  }
}

std::string label_of(const DeviceStream& stream) {
  const std::string number = "stream " + std::to_string(stream.number);
  return stream.device < 0 ? number : "device " + std::to_string(stream.device) + ", " + number;
}

// The streams with the most time in the steps, in the order of their numbers.
std::vector<uint32_t> shown_streams(const DeviceTrace& device, const WindowIndex& windows) {
  std::map<uint32_t, Nanoseconds> busy;
  for (const DeviceSpan& span : device.spans)
    if (span.span_class != SpanClass::kNotWork)
      windows.visit(span.start, span.end, [&](size_t, const Interval&) { busy[span.stream] += span.end - span.start; });
  std::vector<std::pair<Nanoseconds, uint32_t>> streams;
  for (const auto& [stream, time] : busy) streams.emplace_back(time, stream);
  std::sort(streams.rbegin(), streams.rend());
  if (streams.size() > kMostShownStreams) streams.resize(kMostShownStreams);
  std::vector<uint32_t> chosen;
  for (const auto& [time, stream] : streams) chosen.push_back(stream);
  std::sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) {
    const int64_t one = device.streams[a].number, other = device.streams[b].number;
    return one != other ? one < other : a < b;
  });
  return chosen;
}

void add_device_rows(const DeviceTrace& device, SpanRows& rows) {
  std::vector<uint32_t> row_of_stream(device.streams.size(), kNoIndex);
  for (const uint32_t stream : shown_streams(device, rows.windows()))
    row_of_stream[stream] = rows.open(label_of(device.streams[stream]), RowGroup::kStreams);
  for (const DeviceSpan& span : device.spans) {
    const uint32_t row = row_of_stream[span.stream];
    if (span.span_class == SpanClass::kNotWork || row == kNoIndex) continue;
    const bool is_shown = rows.add(row, {span.start, span.end}, span.name, kind_of(span.span_class));
    if (is_shown && span.span_class == SpanClass::kComm) rows.add_comm_start(span.start, row);
  }
}

}  // namespace

RankSpans spans_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const PhaseRules& rules,
                        const ClockMap& clock, const std::vector<Interval>& windows, const std::vector<size_t>& most) {
  SpanRows rows(trace, clock, windows);
  IdleCause idle(trace, device, rules);
  const uint64_t left_out = add_host_rows(trace, idle, rows);
  add_device_rows(device, rows);
  RankSpans spans = rows.take(most);
  spans.ranges_left_out = left_out;
  return spans;
}

}  // namespace tauprof
