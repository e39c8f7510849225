#include "steps/step_windows.h"

#include <algorithm>
#include <limits>

#include "steps/device_times.h"
#include "steps/notable_gaps.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kNowhere = std::numeric_limits<Nanoseconds>::max();
constexpr std::string_view kDeviceScope = "device";
constexpr Nanoseconds kBeforeAll = std::numeric_limits<Nanoseconds>::min();

// Which step each span of a device belongs to.
class StepsOfSpans {
 public:
  StepsOfSpans(const ProcessTrace& trace, const DeviceTrace& device)
      : trace_(trace), has_launches_(are_launches_known(device)) {}

  int32_t of(const DeviceSpan& span) const {
    if (span.span_class == SpanClass::kNotWork) return kNoStep;
    if (span.call != kNoIndex) return trace_.calls[span.call].step;
    return has_launches_ ? kNoStep : at(span.start);
  }

 private:
  int32_t at(Nanoseconds time) const {
    const auto behind = std::upper_bound(trace_.steps.begin(), trace_.steps.end(), time,
                                         [](Nanoseconds at, const HostStep& step) { return at < step.start; });
    if (behind == trace_.steps.begin() || time >= std::prev(behind)->end) return kNoStep;
    return static_cast<int32_t>(behind - trace_.steps.begin()) - 1;
  }

  const ProcessTrace& trace_;
  const bool has_launches_;
};

// The stream with the most compute; of equals, the one with the smallest number.
uint32_t main_stream(const DeviceTrace& device) {
  std::vector<Nanoseconds> compute(device.streams.size(), 0);
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kCompute) compute[span.stream] += span.end - span.start;
  }
  uint32_t main = 0;
  for (uint32_t stream = 1; stream < compute.size(); ++stream) {
    const bool has_smaller_number = device.streams[stream].number < device.streams[main].number;
    if (compute[stream] > compute[main] || (compute[stream] == compute[main] && has_smaller_number)) main = stream;
  }
  return main;
}

struct StepStart {
  Nanoseconds on_main = kNowhere;
  Nanoseconds anywhere = kNowhere;
};

// Makes the starts monotonic: on the main stream, no step starts after a later one.
std::vector<Nanoseconds> boundaries(const std::vector<StepStart>& starts) {
  std::vector<Nanoseconds> result(starts.size(), kNowhere);
  Nanoseconds next = kNowhere;
  for (size_t step = starts.size(); step-- > 0;) {
    if (starts[step].on_main == kNowhere) continue;
    next = result[step] = std::min(next, starts[step].on_main);
  }
  Nanoseconds before = kBeforeAll;
  for (size_t step = 0; step < starts.size(); ++step) {
    if (starts[step].anywhere == kNowhere) continue;
    if (before == kBeforeAll) {
      result[step] = std::min(result[step], starts[step].anywhere);
    } else if (result[step] == kNowhere) {
      const auto after = std::min_element(result.begin() + step, result.end());
      result[step] = std::min(std::max(before, starts[step].anywhere), *after);
    }
    before = result[step];
  }
  return result;
}

std::vector<StepWindow> launching_steps(const ProcessTrace& trace, const DeviceTrace& device) {
  std::vector<bool> launches(trace.steps.size(), false);
  for (const HostCall& call : trace.calls)
    if (call.step != kNoStep && launches_on(call, trace, device)) launches[call.step] = true;
  std::vector<StepWindow> steps;
  for (uint32_t step = 0; step < launches.size(); ++step)
    if (launches[step] && trace.steps[step].is_wanted) steps.push_back({step, std::nullopt});
  return steps;
}

// Where threads train side by side, a window lasts from the end of one step's work to the end of the next one's.
std::vector<StepWindow> windows_side_by_side(const ProcessTrace& trace, const DeviceTrace& device) {
  std::vector<Nanoseconds> ends(trace.steps.size(), kBeforeAll);
  Nanoseconds start = kNowhere;
  const StepsOfSpans steps(trace, device);
  for (const DeviceSpan& span : device.spans) {
    const int32_t step = steps.of(span);
    if (step == kNoStep) continue;
    ends[step] = std::max(ends[step], span.end);
    start = std::min(start, span.start);
  }
  std::vector<StepWindow> windows;
  for (uint32_t step = 0; step < ends.size(); ++step) {
    if (ends[step] == kBeforeAll) continue;
    const Nanoseconds end = std::max(start, ends[step]);
    windows.push_back({step, Interval{start, end}});
    start = end;
  }
  return windows;
}

void leave_out_unwanted(const ProcessTrace& trace, std::vector<StepWindow>& windows) {
  std::erase_if(windows, [&](const StepWindow& window) { return !trace.steps[window.host_step].is_wanted; });
}

void leave_out_gaps(const ProcessTrace& trace, std::vector<StepWindow>& windows) {
  for (const NotableGaps& gaps : {NotableGaps(trace, kDeviceScope), NotableGaps(times_without_device_times(trace))})
    std::erase_if(windows, [&](const StepWindow& window) {
      const HostStep& host = trace.steps[window.host_step];
      return gaps.overlap(host.start, host.end) || gaps.overlap(window.device->start, window.device->end);
    });
}

}  // namespace

bool are_launches_known(const DeviceTrace& device) {
  return std::any_of(device.spans.begin(), device.spans.end(), [](const DeviceSpan& span) {
    return span.span_class != SpanClass::kNotWork && span.call != kNoIndex;
  });
}

bool launches_on(const HostCall& call, const ProcessTrace& trace, const DeviceTrace& device) {
  return launches_work(call.call_class) && (trace.devices.size() < 2 || call.device == device.device);
}

namespace {

// Host work at either end of the recording belongs to the first and to the last step, although the device does not work
// for them meanwhile.
void widen_to_host(const ProcessTrace& trace, std::vector<StepWindow>& windows) {
  if (windows.empty()) return;
  Nanoseconds& start = windows.front().device->start;
  windows.front().ahead = std::max<Nanoseconds>(0, start - trace.steps[windows.front().host_step].start);
  start -= windows.front().ahead;
  Nanoseconds& end = windows.back().device->end;
  windows.back().behind = std::max<Nanoseconds>(0, trace.steps[windows.back().host_step].end - end);
  end += windows.back().behind;
}

std::vector<StepWindow> windows_in_turn(const ProcessTrace& trace, const DeviceTrace& device) {
  const uint32_t stream = main_stream(device);
  std::vector<StepStart> starts(trace.steps.size());
  Nanoseconds last_end = kBeforeAll;
  const StepsOfSpans steps(trace, device);
  for (const DeviceSpan& span : device.spans) {
    const int32_t step = steps.of(span);
    if (step == kNoStep) continue;
    StepStart& start = starts[step];
    start.anywhere = std::min(start.anywhere, span.start);
    if (span.stream == stream) start.on_main = std::min(start.on_main, span.start);
    last_end = std::max(last_end, span.end);
  }
  const std::vector<Nanoseconds> window_starts = boundaries(starts);
  std::vector<StepWindow> windows;
  Nanoseconds next = trace.steps.empty() ? last_end : std::max(last_end, trace.steps.back().next_launch);
  for (size_t step = window_starts.size(); step-- > 0;) {
    if (window_starts[step] == kNowhere) continue;
    windows.push_back({static_cast<uint32_t>(step), Interval{window_starts[step], next}});
    next = window_starts[step];
  }
  std::reverse(windows.begin(), windows.end());
  return windows;
}

}  // namespace

std::vector<StepWindow> step_windows(const ProcessTrace& trace, const DeviceTrace& device) {
  if (!device.is_timed()) return launching_steps(trace, device);
  const bool are_side_by_side = std::any_of(trace.steps.begin(), trace.steps.end(),
                                            [](const HostStep& step) { return step.own_start < step.start; });
  std::vector<StepWindow> windows =
      are_side_by_side ? windows_side_by_side(trace, device) : windows_in_turn(trace, device);
  if (trace.steps_origin != StepOrigin::kInferred) widen_to_host(trace, windows);
  leave_out_unwanted(trace, windows);
  leave_out_gaps(trace, windows);
  return windows;
}

size_t steps_in_gaps(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows) {
  if (NotableGaps(trace, kDeviceScope).empty()) return 0;
  const size_t all = launching_steps(trace, device).size();
  return all > windows.size() ? all - windows.size() : 0;
}

}  // namespace tauprof
