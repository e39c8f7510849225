#include "read/awaited_copies.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Kind = std::tuple<NameId, log::CopyKind, int64_t>;  // the function, the direction, the size

Kind kind_of(const HostCall& call, const DeviceSpan& copy) { return {call.function, copy.copy_kind, copy.bytes}; }

bool runs_on(const HostCall& call, const DeviceSpan& copy) {
  const double length = static_cast<double>(copy.end - copy.start);
  return static_cast<double>(copy.end - call.end) > kLastPieceOfCopy * length;
}

bool returns_when_done(const HostCall& call, const DeviceSpan& copy) {
  return !runs_on(call, copy) && call.end - copy.end <= std::max(kEventNoticed, copy.end - copy.start);
}

// visit(call, copy) for each asynchronous copy that a call may wait for.
template <class Visit>
void for_awaitable(ProcessTrace& trace, Visit visit) {
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.call == kNoIndex || span.activity != log::ActivityKind::kMemcpy) continue;
      if (span.host_memory == log::HostMemory::kPinned) continue;
      HostCall& call = trace.calls[span.call];
      if (call.call_class == CallClass::kCopy) visit(call, span);
    }
}

}  // namespace

void find_awaited_copies(ProcessTrace& trace) {
  std::set<Kind> run_on;
  for_awaitable(trace, [&](const HostCall& call, const DeviceSpan& copy) {
    if (runs_on(call, copy)) run_on.insert(kind_of(call, copy));
  });
  for_awaitable(trace, [&](HostCall& call, const DeviceSpan& copy) {
    if (!run_on.contains(kind_of(call, copy)) && returns_when_done(call, copy))
      call.call_class = CallClass::kAwaitedCopy;
  });
}

}  // namespace tauprof
