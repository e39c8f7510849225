#include "steps/outside_steps.h"

#include <algorithm>
#include <limits>

namespace tauprof {
namespace {

Interval recorded_time(const ProcessTrace& trace, const DeviceTrace& device) {
  Interval all{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
  const auto cover = [&](Nanoseconds start, Nanoseconds end) {
    all.start = std::min(all.start, start);
    all.end = std::max(all.end, end);
  };
  for (const HostCall& call : trace.calls) cover(call.start, call.end);
  for (const HostRange& range : trace.ranges) cover(range.start, range.end);
  for (const DeviceSpan& span : device.spans) cover(span.start, span.end);
  return all;
}

std::vector<Interval> times_of_steps(const ProcessTrace& trace, const std::vector<StepWindow>& windows) {
  std::vector<Interval> times;
  for (const HostStep& step : trace.steps) times.push_back({step.start, step.end});
  for (const StepWindow& window : windows)
    if (window.device) times.push_back(*window.device);
  std::sort(times.begin(), times.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  return times;
}

}  // namespace

OutsideSteps outside_steps(const ProcessTrace& trace, const DeviceTrace& device,
                           const std::vector<StepWindow>& windows) {
  const Interval recorded = recorded_time(trace, device);
  const std::vector<Interval> steps = times_of_steps(trace, windows);
  if (recorded.end <= recorded.start || steps.empty()) return {};
  OutsideSteps outside{recorded.length(), std::max<Nanoseconds>(0, steps.front().start - recorded.start)};
  Nanoseconds until = steps.front().start;
  for (const Interval& step : steps) {
    outside.between += std::max<Nanoseconds>(0, step.start - until);
    until = std::max(until, step.end);
  }
  outside.after = std::max<Nanoseconds>(0, recorded.end - until);
  return outside;
}

}  // namespace tauprof
