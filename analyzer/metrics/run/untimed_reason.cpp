#include "metrics/run/untimed_reason.h"

#include <algorithm>
#include <string_view>

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

}  // namespace

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

}  // namespace tauprof
