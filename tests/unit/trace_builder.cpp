#include "trace_builder.h"

#include <algorithm>

#include "read/call_class.h"
#include "read/launch_join.h"

namespace tauprof {

TraceBuilder::TraceBuilder() {
  trace_.devices.emplace_back();
  switch_thread("main");
  trace_.threads.front().is_main = true;
}

NameId TraceBuilder::name(std::string_view text) {
  for (NameId id = 0; id < trace_.names.size(); ++id)
    if (trace_.names[id] == text) return id;
  return trace_.names.add(text);
}

uint32_t TraceBuilder::stream(int64_t handle) {
  auto& streams = trace_.devices.front().streams;
  for (uint32_t i = 0; i < streams.size(); ++i)
    if (streams[i].handle == handle) return i;
  streams.push_back({1, static_cast<int64_t>(streams.size()) + 7, handle, -1, handle == 0});
  return static_cast<uint32_t>(streams.size() - 1);
}

void TraceBuilder::switch_thread(std::string_view thread_name) {
  const NameId id = name(thread_name);
  for (thread_ = 0; thread_ < trace_.threads.size(); ++thread_)
    if (trace_.threads[thread_].name == id) return;
  HostThread thread;
  thread.name = id;
  trace_.threads.push_back(thread);
}

HostCall& TraceBuilder::call(std::string_view function, Nanoseconds start, Nanoseconds end, Phase phase) {
  HostCall call;
  call.start = start;
  call.end = end;
  call.phase = phase;
  call.thread = thread_;
  call.function = name(function);
  call.call_class = call_class_of(function);
  call.correlation = trace_.calls.size() + 1;
  trace_.calls.push_back(call);
  return trace_.calls.back();
}

uint32_t TraceBuilder::span(Nanoseconds start, Nanoseconds end, int64_t handle, std::string_view kernel) {
  DeviceSpan span;
  if (!kernel.empty()) span.name = name(kernel);
  span.start = start;
  span.end = end;
  span.stream = stream(handle);
  span.activity = log::ActivityKind::kKernel;
  span.span_class = SpanClass::kCompute;
  span.call = static_cast<uint32_t>(trace_.calls.size() - 1);  // build() maps it to the call's final position
  trace_.devices.front().spans.push_back(span);
  return static_cast<uint32_t>(trace_.devices.front().spans.size() - 1);
}

uint32_t TraceBuilder::span_without_call(Nanoseconds start, Nanoseconds end) {
  const uint32_t index = span(start, end);
  trace_.devices.front().spans[index].call = kNoIndex;
  return index;
}

void TraceBuilder::range(std::string_view text, Nanoseconds start, Nanoseconds end, log::RangeSource source) {
  HostRange range;
  range.start = start;
  range.end = end;
  range.name = name(text);
  range.thread = thread_;
  range.source = source;
  trace_.ranges.push_back(range);
}

ProcessTrace& TraceBuilder::build() {
  sort_calls(trace_);
  std::vector<uint32_t> position(trace_.calls.size());
  for (uint32_t i = 0; i < trace_.calls.size(); ++i) position[trace_.calls[i].correlation - 1] = i;
  for (DeviceSpan& span : trace_.devices.front().spans)
    if (span.call != kNoIndex) span.call = position[span.call];
  const auto outer_first = [](const auto& a, const auto& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  };
  std::stable_sort(trace_.ranges.begin(), trace_.ranges.end(), outer_first);
  std::stable_sort(trace_.marks.begin(), trace_.marks.end(), outer_first);
  return trace_;
}

}  // namespace tauprof
