#include "steps/host_steps.h"

#include <algorithm>

#include "classify/optimizer_kernels.h"
#include "steps/step_markers.h"

namespace tauprof {
namespace {

// Start times of launches, each with whether it launched an optimizer kernel.
std::vector<std::pair<Nanoseconds, bool>> launches_in_order(const ProcessTrace& trace) {
  std::vector<signed char> is_optimizer(trace.names.size(), -1);
  std::vector<std::pair<Nanoseconds, bool>> launches;
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.call == kNoIndex || span.span_class == SpanClass::kNotWork) continue;
      if (is_optimizer[span.name] < 0) is_optimizer[span.name] = is_optimizer_kernel(trace.names[span.name]);
      launches.emplace_back(trace.calls[span.call].start, is_optimizer[span.name] != 0);
    }
  std::sort(launches.begin(), launches.end());
  return launches;
}

// A step ends with the last launch of an optimizer burst; the next launch begins the next one.
// Launches after the last burst belong to no finished step.
std::vector<HostStep> steps_from_optimizer(const ProcessTrace& trace) {
  const auto launches = launches_in_order(trace);
  std::vector<HostStep> steps;
  size_t begin = 0;
  for (size_t i = 0; i < launches.size(); ++i) {
    const bool burst_ends = launches[i].second && (i + 1 == launches.size() || !launches[i + 1].second);
    if (!burst_ends) continue;
    const Nanoseconds end = i + 1 < launches.size() ? launches[i + 1].first : launches[i].first + 1;
    steps.push_back({static_cast<int64_t>(steps.size()), launches[begin].first, end});
    begin = i + 1;
  }
  return steps;
}

std::vector<HostStep> whole_recording(const ProcessTrace& trace) {
  HostStep step{0, INT64_MAX, INT64_MIN};
  const auto cover = [&](Nanoseconds start, Nanoseconds end) {
    step.start = std::min(step.start, start);
    step.end = std::max(step.end, end);
  };
  for (const HostCall& call : trace.calls) cover(call.start, call.end + 1);
  if (trace.calls.empty())  // the device alone was recorded
    for (const DeviceTrace& device : trace.devices)
      for (const DeviceSpan& span : device.spans) cover(span.start, span.end);
  if (step.end < step.start) return {};
  return {step};
}

void assign_calls(ProcessTrace& trace) {
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    size_t step = 0;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      while (step < trace.steps.size() && call.start >= trace.steps[step].end) ++step;
      const bool inside = step < trace.steps.size() && call.start >= trace.steps[step].start;
      call.step = inside ? static_cast<int32_t>(step) : kNoStep;
    }
  }
}

}  // namespace

void find_host_steps(ProcessTrace& trace) {
  StepMarkers markers = find_step_markers(trace);
  if (!markers.steps.empty()) {
    trace.steps = std::move(markers.steps);
    trace.steps_source = "marker " + markers.family;
  } else if (std::vector<HostStep> steps = steps_from_optimizer(trace); steps.size() >= 2) {
    trace.steps = std::move(steps);
    trace.steps_source = "optimizer";
  } else {
    trace.steps = whole_recording(trace);
    trace.steps_source = "none";
  }
  assign_calls(trace);
}

}  // namespace tauprof
