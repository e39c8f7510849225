#include "phases/launched_work.h"

namespace tauprof {

LaunchedWork::LaunchedWork(const ProcessTrace& trace)
    : kernel(trace.calls.size(), kNoName),
      copy(trace.calls.size(), log::CopyKind::kUnknown),
      copied_bytes(trace.calls.size(), 0),
      fills(trace.calls.size(), false) {
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.call == kNoIndex) continue;
      if (span.activity == log::ActivityKind::kKernel || span.activity == log::ActivityKind::kGraph) {
        kernel[span.call] = span.name;
      } else if (span.activity == log::ActivityKind::kMemcpy) {
        copy[span.call] = span.copy_kind;
        copied_bytes[span.call] = span.bytes;
      } else if (span.activity == log::ActivityKind::kMemset) {
        fills[span.call] = true;
      }
    }
}

}  // namespace tauprof
