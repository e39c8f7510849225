#include "metrics/input/input_copies.h"

#include <algorithm>
#include <set>

#include "phases/call_order.h"

namespace tauprof {
namespace {

bool is_input(const HostCall& call) { return call.is_input_copy && brings_input(call.phase); }

// The stream on which kernels run for the longest.
uint32_t computing_stream(const DeviceTrace& device) {
  std::vector<Nanoseconds> computes(std::max<size_t>(1, device.streams.size()));
  for (const DeviceSpan& span : device.spans)
    if (span.span_class == SpanClass::kCompute) computes[span.stream] += span.end - span.start;
  return static_cast<uint32_t>(std::max_element(computes.begin(), computes.end()) - computes.begin());
}

}  // namespace

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
