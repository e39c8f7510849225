#include "metrics/input/input_copies.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "phases/call_order.h"

namespace tauprof {
namespace {

bool is_input(const HostCall& call) { return call.is_input_copy && brings_input(call.phase); }

bool is_own(const HostCall& call, const ProcessTrace& trace) {
  return call.step != kNoStep && call.start < trace.steps[call.step].extra_start;
}

// The stream on which kernels run for the longest.
uint32_t computing_stream(const DeviceTrace& device) {
  std::vector<Nanoseconds> computes(std::max<size_t>(1, device.streams.size()));
  for (const DeviceSpan& span : device.spans)
    if (span.span_class == SpanClass::kCompute) computes[span.stream] += span.end - span.start;
  return static_cast<uint32_t>(std::max_element(computes.begin(), computes.end()) - computes.begin());
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
    const bool brings = is_input(call);
    if (brings && !is_in_batch && is_own(call, trace)) ++batches[call.step].count;
    if (brings)
      is_in_batch = true;
    else if (!is_copy(call.call_class))
      is_in_batch = false;
  }
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class != SpanClass::kCopy || span.call == kNoIndex) continue;
    const HostCall& call = trace.calls[span.call];
    if (is_input(call) && is_own(call, trace)) batches[call.step].bytes += span.bytes;
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

std::unordered_map<uint32_t, uint32_t> waits_after_input(const ProcessTrace& trace) {
  std::unordered_map<uint32_t, uint32_t> waits;
  std::vector<uint32_t> copy_of_thread(trace.threads.size(), kNoIndex);
  const auto counts = [](CallClass call) { return launches_work(call) || blocks_host(call); };
  for (const uint32_t index : outermost_calls_in_order(trace, counts)) {
    const HostCall& call = trace.calls[index];
    uint32_t& copy = copy_of_thread[call.thread];
    if (call.call_class == CallClass::kSync && copy != kNoIndex) waits.emplace(index, copy);
    if (counts(call.call_class)) copy = is_input(call) ? index : kNoIndex;
  }
  return waits;
}

void total_input_copies(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps) {
  const uint32_t computing = computing_stream(device);
  std::set<uint32_t> awaited;
  for (const auto& [wait, copy] : waits_after_input(trace)) awaited.insert(copy);
  size_t step = 0;
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class != SpanClass::kCopy || span.call == kNoIndex || !is_input(trace.calls[span.call])) continue;
    while (step < steps.size() && (!steps[step].device || span.start >= steps[step].device->end)) ++step;
    if (step == steps.size()) break;
    if (span.start < steps[step].device->start) continue;
    const HostCall& call = trace.calls[span.call];
    InputCopies& copies = steps[step].input_copies;
    ++copies.count;
    copies.pageable += call.call_class == CallClass::kAwaitedCopy;
    copies.awaited += blocks_host(call.call_class) || awaited.contains(span.call);
    copies.in_line += span.stream == computing;
    copies.bytes += span.bytes;
    copies.total += span.end - span.start;
  }
}

}  // namespace tauprof
