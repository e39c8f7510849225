#include "metrics/input/waiting_copies.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

WaitingCopies::WaitingCopies(const ProcessTrace& trace) : trace_(trace) {
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans)
      if (is_asynchronous(trace, span) && runs_on(trace, span)) run_on_.insert(kind_of(span));
}

bool WaitingCopies::is_waited_for(const DeviceSpan& copy) const {
  if (!is_asynchronous(trace_, copy) || runs_on(trace_, copy) || run_on_.contains(kind_of(copy))) return false;
  return trace_.calls[copy.call].end - copy.end <= std::max(kEventNoticed, copy.end - copy.start);
}

bool WaitingCopies::is_asynchronous(const ProcessTrace& trace, const DeviceSpan& span) {
  return span.call != kNoIndex && span.span_class == SpanClass::kCopy && span.activity != log::ActivityKind::kMemset &&
         trace.calls[span.call].call_class == CallClass::kCopy;
}

bool WaitingCopies::runs_on(const ProcessTrace& trace, const DeviceSpan& copy) {
  const double length = static_cast<double>(copy.end - copy.start);
  return static_cast<double>(copy.end - trace.calls[copy.call].end) > kLastPieceOfCopy * length;
}

WaitingCopies::Kind WaitingCopies::kind_of(const DeviceSpan& copy) const {
  return {trace_.calls[copy.call].function, copy.copy_kind, copy.bytes};
}

}  // namespace tauprof
