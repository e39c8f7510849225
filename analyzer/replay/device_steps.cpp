#include "replay/device_steps.h"

#include <algorithm>

#include "steps/step_windows.h"

namespace tauprof {
namespace {

class WorkOfDevice {
 public:
  WorkOfDevice(const DeviceTrace& device, const std::vector<uint32_t>& of_span, const std::vector<Interval>& times)
      : device_(device), of_span_(of_span), times_(times) {}

  // kNoIndex: none.
  uint32_t starting_at(Nanoseconds time) const {
    const std::vector<DeviceSpan>& spans = device_.spans;
    auto span = std::lower_bound(spans.begin(), spans.end(), time,
                                 [](const DeviceSpan& one, Nanoseconds start) { return one.start < start; });
    for (; span != spans.end() && span->start == time; ++span)
      if (const uint32_t operation = of_span_[static_cast<size_t>(span - spans.begin())];
          operation != kNoIndex && times_[operation].start == time)
        return operation;
    return kNoIndex;
  }

  // The last of each stream that has ended by `end`; empty: none ends then.
  std::vector<uint32_t> last_before(Nanoseconds end) const {
    std::vector<uint32_t> last(device_.streams.size(), kNoIndex);
    bool ends_then = false;
    for (uint32_t i = 0; i < device_.spans.size() && device_.spans[i].start < end; ++i) {
      if (of_span_[i] == kNoIndex || device_.spans[i].end > end) continue;
      last[device_.spans[i].stream] = of_span_[i];
      ends_then |= device_.spans[i].end == end;
    }
    std::erase(last, kNoIndex);
    return ends_then ? last : std::vector<uint32_t>();
  }

 private:
  const DeviceTrace& device_;
  const std::vector<uint32_t>& of_span_;
  const std::vector<Interval>& times_;
};

}  // namespace

std::vector<OperationStep> steps_of_device(const ProcessTrace& trace, uint32_t device,
                                           const std::vector<uint32_t>& of_span, const std::vector<Interval>& times,
                                           uint32_t opening) {
  const WorkOfDevice work(trace.devices[device], of_span, times);
  std::vector<OperationStep> steps;
  for (const StepWindow& window : step_windows(trace, trace.devices[device])) {
    if (!window.device) continue;
    OperationStep step;
    step.number = trace.steps[window.host_step].number;
    step.ahead = window.ahead;
    step.behind = window.behind;
    step.first = work.starting_at(window.device->start + window.ahead);
    if (window.ahead > 0 && opening != kNoIndex && times[opening].start == window.device->start) {
      step.first = opening;
      step.ahead = 0;
    }
    const Nanoseconds end = window.device->end - window.behind;
    step.next = window.behind > 0 ? kNoIndex : work.starting_at(end);
    if (step.next == kNoIndex) step.last_works = work.last_before(end);
    if (step.first != kNoIndex && (step.next != kNoIndex || !step.last_works.empty())) steps.push_back(step);
  }
  return steps;
}

}  // namespace tauprof
