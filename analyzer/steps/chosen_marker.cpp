#include <algorithm>
#include <optional>

#include "names/glob.h"
#include "steps/step_sources.h"
#include "steps/window_steps.h"

namespace tauprof {
namespace {

constexpr std::string_view kKernelPrefix = "kernel:";

std::vector<Nanoseconds> launches_of(const ProcessTrace& trace, std::string_view glob) {
  std::vector<std::optional<bool>> is_marker(trace.names.size());
  std::vector<Nanoseconds> times;
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.activity != log::ActivityKind::kKernel || span.call == kNoIndex) continue;
      std::optional<bool>& matches = is_marker[span.name];
      if (!matches) matches = matches_glob(glob, trace.names[span.name]);
      if (*matches) times.push_back(trace.calls[span.call].start);
    }
  return times;
}

// The end of the marking range that starts at `start`; without one, the end of the calls.
Nanoseconds end_of_last(const ProcessTrace& trace, Nanoseconds start) {
  for (const HostRange& range : trace.ranges)
    if (range.start == start && range.end > start) return range.end;
  Nanoseconds end = start;
  for (const HostCall& call : trace.calls) end = std::max(end, call.end);
  return end + 1;
}

}  // namespace

std::string_view chosen_marker(const ProcessTrace& trace) {
  const auto found = trace.attributes.find("step_marker");
  return found != trace.attributes.end() ? std::string_view(found->second) : std::string_view();
}

std::vector<HostStep> find_chosen_steps(const ProcessTrace& trace) {
  const std::string_view marker = chosen_marker(trace);
  std::vector<Nanoseconds> times;
  if (marker.starts_with(kKernelPrefix)) times = launches_of(trace, marker.substr(kKernelPrefix.size()));
  for (const StepMark& mark : trace.step_marks) times.push_back(mark.time);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  // The recorder also counts marks of ranges and calls while it does not record, and recording starts at one.
  const int64_t first = trace.step_marks.empty() ? 0 : wanted_steps(trace).first;
  std::vector<HostStep> steps;
  for (const Nanoseconds time : times) {
    if (!steps.empty()) steps.back().end = time;
    steps.push_back({first + static_cast<int64_t>(steps.size()), time, time});
  }
  if (!steps.empty()) steps.back().end = end_of_last(trace, steps.back().start);
  mark_wanted(trace, steps);
  return steps;
}

}  // namespace tauprof
