#include "phases/launched_work.h"

#include <algorithm>
#include <string_view>

namespace tauprof {

LaunchedWork::LaunchedWork(const ProcessTrace& trace)
    : kernel(trace.calls.size(), kNoName),
      copy(trace.calls.size(), log::CopyKind::kUnknown),
      fills(trace.calls.size(), false) {
  const bool is_timed = std::any_of(trace.devices.begin(), trace.devices.end(),
                                    [](const DeviceTrace& device) { return device.is_timed(); });
  if (!is_timed) take_from_calls(trace);
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.call == kNoIndex) continue;
      if (span.activity == log::ActivityKind::kKernel || span.activity == log::ActivityKind::kGraph) {
        kernel[span.call] = span.name;
      } else if (span.activity == log::ActivityKind::kMemcpy) {
        copy[span.call] = span.copy_kind;
      } else if (span.activity == log::ActivityKind::kMemset) {
        fills[span.call] = true;
      }
    }
}

void LaunchedWork::take_from_calls(const ProcessTrace& trace) {
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    copy[i] = trace.calls[i].copy_kind;
    fills[i] = trace.names[trace.calls[i].function].find("Memset") != std::string_view::npos;
  }
}

}  // namespace tauprof
