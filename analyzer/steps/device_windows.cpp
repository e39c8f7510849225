#include "steps/device_windows.h"

#include <algorithm>
#include <limits>

namespace tauprof {

std::vector<StepWindow> device_windows(const ProcessTrace& trace, const DeviceTrace& device) {
  constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();
  std::vector<Nanoseconds> first(trace.steps.size(), kNever);
  Nanoseconds last_end = std::numeric_limits<Nanoseconds>::min();
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kNotWork) continue;
    // Without any calls there is one step, of all that the device did.
    if (span.call == kNoIndex && !trace.calls.empty()) continue;
    const int32_t step = span.call == kNoIndex ? 0 : trace.calls[span.call].step;
    if (step == kNoStep) continue;
    first[step] = std::min(first[step], span.start);
    last_end = std::max(last_end, span.end);
  }
  std::vector<StepWindow> windows;
  Nanoseconds next_boundary = last_end;
  for (size_t step = first.size(); step-- > 0;) {
    if (first[step] == kNever) continue;
    const Nanoseconds boundary = windows.empty() ? first[step] : std::min(first[step], next_boundary);
    windows.push_back({static_cast<uint32_t>(step), {boundary, next_boundary}});
    next_boundary = boundary;
  }
  std::reverse(windows.begin(), windows.end());
  return windows;
}

}  // namespace tauprof
