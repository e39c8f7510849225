#include "metrics/input/input_batches.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "phases/call_order.h"

namespace tauprof {
namespace {

bool is_input_of(const HostCall& call) { return call.is_input_copy && brings_input(call.phase); }

bool is_own(const HostCall& call, const ProcessTrace& trace) {
  return call.step != kNoStep && call.start < trace.steps[call.step].extra_start;
}

}  // namespace

std::vector<StepBatches> input_batches(const ProcessTrace& trace, const DeviceTrace& device) {
  std::vector<StepBatches> batches(trace.steps.size());
  bool is_in_batch = false;
  int32_t step = kNoStep;
  for (const uint32_t index : outermost_calls_in_order(trace)) {
    const HostCall& call = trace.calls[index];
    if (!launches_work(call.call_class) || call.device != device.device) continue;
    if (call.step != step) is_in_batch = false;  // weights that were copied before the first step
    step = call.step;
    const bool is_input = is_input_of(call);
    if (is_input && !is_in_batch && is_own(call, trace)) ++batches[call.step].count;
    if (is_input)
      is_in_batch = true;
    else if (!is_copy(call.call_class))
      is_in_batch = false;
  }
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class != SpanClass::kCopy || span.call == kNoIndex) continue;
    const HostCall& call = trace.calls[span.call];
    if (is_input_of(call) && is_own(call, trace)) batches[call.step].bytes += span.bytes;
  }
  return batches;
}

std::vector<uint32_t> backward_passes(const ProcessTrace& trace) {
  std::vector<uint32_t> passes(trace.steps.size(), 0);
  std::vector<Interval> marked;
  for (const FrameworkMark& mark : trace.marks)
    if (mark.kind == MarkKind::kBackward) marked.push_back({mark.start, mark.end});
  std::sort(marked.begin(), marked.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Nanoseconds open_until = INT64_MIN;
  for (const Interval& pass : marked) {
    if (pass.start < std::exchange(open_until, std::max(open_until, pass.end))) continue;
    const auto after = std::upper_bound(trace.steps.begin(), trace.steps.end(), pass.start,
                                        [](Nanoseconds time, const HostStep& step) { return time < step.start; });
    if (after == trace.steps.begin()) continue;
    const HostStep& step = *(after - 1);
    if (pass.start < std::min(step.end, step.extra_start)) ++passes[static_cast<size_t>(&step - trace.steps.data())];
  }
  return passes;
}

}  // namespace tauprof
