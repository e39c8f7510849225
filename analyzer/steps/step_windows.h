// A rank's steps, with their device windows (docs/metrics.md, "Notation").
//
// Window k runs from the first span that step k launched to the first that step k + 1 launched, both on the device's
// main stream: the one with the most compute. Work on other streams does not bound steps, because it runs ahead: if the
// host is two steps ahead, its input copies run two steps ahead, on a stream of their own. A step without work on the
// main stream starts with its first span, but not before the previous step. The first window starts with the first
// step's first span on any stream. The last window ends with the last span that a step launched, but not before the
// next step's first launch, if that step is known but excluded from analysis. So windows tile the run and never go
// backwards.
//
// Example: step 0 computes from 10 to 90, step 1 from 90 to 170, and step 1's input was copied on another stream from
// 12 to 15. The windows are 10 to 90 and 90 to 170.
//
// A step counts for a rank if it launched work on the rank's device. If none of that work has device times, the calls
// say which steps did, and no step has a device window.
#pragma once

#include <optional>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct StepWindow {
  uint32_t host_step = 0;          // index into ProcessTrace::steps
  std::optional<Interval> device;  // none: the device was not timed
};

// Whether the call launches work, and on this device.
bool launches_on(const HostCall& call, const ProcessTrace& trace, const DeviceTrace& device);

std::vector<StepWindow> step_windows(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
