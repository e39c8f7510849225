#include "steps/host_steps.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "limits/analysis_limits.h"
#include "steps/launch_sequence.h"
#include "steps/step_markers.h"
#include "steps/step_sources.h"
#include "steps/step_windows.h"
#include "steps/window_steps.h"

namespace tauprof {
namespace {

// The steps that the thread's calls may belong to. Where several threads train at the same time, each made its own.
std::vector<int32_t> steps_of_thread(const ProcessTrace& trace, size_t thread) {
  std::vector<int32_t> of_thread, all(trace.steps.size());
  std::iota(all.begin(), all.end(), 0);
  for (const int32_t step : all)
    if (trace.steps[step].thread == static_cast<int32_t>(thread)) of_thread.push_back(step);
  return of_thread.empty() ? all : of_thread;
}

Nanoseconds start_on(const HostStep& step, size_t thread) {
  return step.is_own(static_cast<int32_t>(thread)) ? step.own_start : step.start;
}

void assign_calls(ProcessTrace& trace) {
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    const std::vector<int32_t> steps = steps_of_thread(trace, thread);
    size_t at = 0;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      while (at < steps.size() && call.start >= trace.steps[steps[at]].end) ++at;
      call.step = at < steps.size() && call.start >= start_on(trace.steps[steps[at]], thread) ? steps[at] : kNoStep;
    }
  }
}

FoundSteps updated_steps(const ProcessTrace& trace) {
  FoundSteps found = find_updated_steps(launch_sequence(trace));
  mark_wanted(trace, found.steps);
  return found;
}

// Numbers of the recorder's without marks: the window left out the capture of the graphs that it counted.
FoundSteps steps_of_graphs(const ProcessTrace& trace) {
  return {steps_of_recorder(trace), "pytorch", "launches of graphs that hold an update, as PyTorch captured them", 1};
}

// Steps in which device work lies only by the time at which it ran. Where the host runs ahead of the device, the first
// of it belongs to the step before.
void say_without_launches(ProcessTrace& trace) {
  const auto lacks_launches = [](const DeviceTrace& device) {
    return !device.spans.empty() && !are_launches_known(device);
  };
  if (trace.devices.empty() || !std::all_of(trace.devices.begin(), trace.devices.end(), lacks_launches)) return;
  trace.steps_confidence = std::min(trace.steps_confidence, kWithoutLaunches);
  trace.steps_reason += "; no launch is in the trace, so device work belongs to the step during which it starts";
}

void take(ProcessTrace& trace, StepOrigin origin, FoundSteps found) {
  trace.steps = std::move(found.steps);
  trace.steps_origin = origin;
  trace.steps_source = std::move(found.source);
  trace.steps_confidence = found.confidence;
  trace.steps_reason = std::move(found.reason);
}

}  // namespace

void find_host_steps(ProcessTrace& trace) {
  // Also tells evaluations from training, whoever marks the steps.
  FoundSteps marked = find_marked_steps(trace);
  if (std::vector<HostStep> chosen = find_chosen_steps(trace); !chosen.empty()) {
    take(trace, StepOrigin::kMarker,
         {std::move(chosen), "marker " + std::string(chosen_marker(trace)), "TAUPROF_STEP_MARKER says so", 1});
  } else if (!marked.steps.empty()) {
    number_as_recorded(trace, marked.steps);
    take(trace, StepOrigin::kPytorch, std::move(marked));
  } else if (StepMarkers markers = find_step_markers(trace); !markers.steps.empty()) {
    mark_wanted_by_order(trace, markers.steps);
    take(trace, StepOrigin::kTrace,
         {std::move(markers.steps), "marker " + markers.family, "the program marks its steps", 1});
  } else if (FoundSteps graphs = steps_of_graphs(trace); !graphs.steps.empty()) {
    take(trace, StepOrigin::kPytorch, std::move(graphs));
  } else if (FoundSteps found = updated_steps(trace); !found.steps.empty()) {
    take(trace, StepOrigin::kInferred, std::move(found));
  } else {
    take(trace, StepOrigin::kNone, {time_slices(trace), std::string(kByTime), std::move(found.reason), 0});
  }
  say_without_launches(trace);
  assign_calls(trace);
}

}  // namespace tauprof
