#include "metrics/run/timeline_of_rank.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "metrics/calls/call_table.h"
#include "metrics/collectives/collective_units.h"
#include "metrics/efficiency/gemm_totals.h"
#include "metrics/hangs/progress_of_rank.h"
#include "metrics/input/input_copies.h"
#include "metrics/kernels/kernel_totals.h"
#include "metrics/ledger/device_sweep.h"
#include "metrics/ledger/hta_breakdown.h"
#include "metrics/memory/memory_of_rank.h"
#include "metrics/run/timeline_builder.h"
#include "metrics/stragglers/step_telemetry.h"
#include "model/process_trace.h"
#include "steps/outside_steps.h"
#include "steps/step_windows.h"

namespace tauprof {
namespace {

// As the recorder writes them (preload/capture/device).
constexpr std::string_view kSources[] = {"CUPTI", "CUDA events"};

bool launched_anything(const ProcessTrace& trace, const DeviceTrace& device) {
  return std::any_of(trace.calls.begin(), trace.calls.end(),
                     [&](const HostCall& call) { return launches_on(call, trace, device); });
}

void add_cause(std::string& causes, const std::string& cause) {
  if (causes.find(cause) == std::string::npos) causes += (causes.empty() ? "" : "; ") + cause;
}

// Why a rank that launched work has no device times.
//
// If the recorder gave a reason, that is it. If it names a source of device times (CUPTI, CUDA events) from which
// nothing came, the log's gaps of device times say why, or else what it dropped.
//
// Empty: it is timed, or it launched nothing.
std::string untimed_reason(const ProcessTrace& trace, const DeviceTrace& device) {
  if (device.is_timed() || !launched_anything(trace, device)) return {};
  const auto found = trace.attributes.find("device_times");
  const std::string source = found == trace.attributes.end() ? std::string() : found->second;
  const bool is_source = std::find(std::begin(kSources), std::end(kSources), source) != std::end(kSources);
  if (!source.empty() && !is_source) return source;
  std::string causes;
  for (const RecordingGap& gap : trace.quality.gaps)
    if (gap.scope == "device") add_cause(causes, gap.reason);
  for (const auto& [reason, count] : trace.quality.dropped) add_cause(causes, reason);
  if (causes.empty()) causes = "the log has none";
  return source.empty() ? causes : source + ": " + causes;
}

void describe(const ProcessTrace& trace, const DeviceTrace& device, RankTimeline& timeline) {
  const auto attribute = [&](const char* name) {
    const auto found = trace.attributes.find(name);
    return found == trace.attributes.end() ? std::string() : found->second;
  };
  timeline.rank = device.rank >= 0 ? device.rank : trace.rank;
  timeline.world_size = trace.world_size;
  timeline.device = device.device;
  timeline.united_with = device.united_with;
  timeline.file = trace.file;
  timeline.host = trace.host;
  timeline.device_name = device.name;
  timeline.source = attribute("source").empty() ? "preload" : attribute("source");
  timeline.command = attribute("command");
  timeline.untimed_because = untimed_reason(trace, device);
  constexpr std::string_view kVersion = "version.";
  constexpr std::string_view kSetting = "setting.";
  for (const auto& [name, value] : trace.attributes) {
    if (name.starts_with(kVersion)) timeline.versions[name.substr(kVersion.size())] = value;
    if (name.starts_with(kSetting)) timeline.settings[name.substr(kSetting.size())] = value;
  }
  timeline.steps_origin = trace.steps_origin;
  timeline.steps_source = trace.steps_source;
  timeline.steps_confidence = trace.steps_confidence;
  timeline.steps_reason = trace.steps_reason;
  timeline.boot_id = trace.boot_id;
  timeline.clock = trace.clock;
  timeline.has_realtime = trace.has_realtime;
  timeline.realtime_offset_ns = trace.realtime_offset_ns;
  if (&device == &trace.devices.front()) timeline.quality = trace.quality;
  for (const auto& [key, communicator] : trace.communicators)
    if (communicator.identity != 0) timeline.communicator_names[communicator.identity] = communicator.name;
  timeline.spans = device.spans.size();
  timeline.calls = trace.calls.size();
  timeline.unmatched_spans = device.unmatched_spans;
  timeline.clamped_latencies = device.clamped_latencies;
}

// Of all windows: nothing inside of them is left out, although no work starts or ends there.
Interval bounds_of(const std::vector<StepWindow>& windows) {
  Interval all{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
  for (const StepWindow& window : windows) {
    if (!window.device) continue;
    all.start = std::min(all.start, window.device->start);
    all.end = std::max(all.end, window.device->end);
  }
  return all;
}

}  // namespace

RankTimeline timeline_of_rank(const ProcessTrace& trace, const DeviceTrace& device,
                              const std::vector<HostTimes>& host_time, const std::optional<StepRange>& choice,
                              const PhaseRules& rules, bool has_paths) {
  RankTimeline timeline;
  describe(trace, device, timeline);
  const std::vector<StepWindow> windows = step_windows(trace, device);
  timeline.unwanted_steps = static_cast<size_t>(
      std::count_if(trace.steps.begin(), trace.steps.end(), [](const HostStep& step) { return !step.is_wanted; }));
  if (timeline.is_timed()) timeline.steps_in_gaps = steps_in_gaps(trace, device, windows);
  timeline.outside_steps = outside_steps(trace, device, windows);
  timeline.untimed_collectives = untimed_collectives(trace, device, windows, timeline.is_timed());
  const std::vector<StepBatches> batches = input_batches(trace, device);
  const std::vector<uint32_t> passes = backward_passes(trace);
  for (const StepWindow& window : windows) {
    const HostStep& host = trace.steps[window.host_step];
    RankStep step;
    step.number = host.number;
    step.device = window.device;
    step.ahead = window.ahead;
    step.host = {host.start, host.end};
    step.host_by_phase = host_time[window.host_step].total;
    step.host_blocked = host_time[window.host_step].blocked;
    step.batches = batches[window.host_step].count;
    step.batch_bytes = batches[window.host_step].bytes;
    step.backward_passes = passes[window.host_step];
    timeline.steps.push_back(std::move(step));
  }
  TimelineBuilder builder(trace, device, windows, collective_units(trace, device), choice, rules, has_paths, timeline);
  sweep_device(trace, device, builder, bounds_of(windows));
  builder.finish();
  total_calls(trace, device, windows, choice, timeline);
  total_kernels(trace, device, windows, choice, timeline);
  total_gemms(trace, device, windows, choice, timeline);
  total_input_copies(trace, device, timeline.steps);
  timeline.hta = hta_breakdown(trace, device);
  timeline.memory = memory_of_rank(trace, device, timeline.steps);
  timeline.progress = progress_of_rank(trace, device);
  add_step_telemetry(trace, device, timeline.steps);
  return timeline;
}

}  // namespace tauprof
