// The device windows of a rank's steps (docs/metrics.md, "Notation").
//
// Window k runs from the first span that step k launched to the first that step k + 1 launched, both on the device's
// main stream: the one with the most compute. Work on other streams does not bound steps, because it runs ahead of
// them: a host that is two steps ahead has its input copies carried out two steps ahead, on a stream of their own. A
// step that has nothing on the main stream begins with its first span, but not before the step in front of it. The
// first window begins with the first step's first span wherever it ran, the last ends with the last span that a step
// launched, and not before the step that follows is launched, if one is known that does not count. So windows tile the
// run and never go backwards.
//
// Example: step 0 computes from 10 to 90, step 1 from 90 to 170; step 1's input was copied on another stream from 12 to
// 15. The windows are 10 to 90 and 90 to 170.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct StepWindow {
  uint32_t host_step = 0;  // index into ProcessTrace::steps
  Interval device;
};

// Steps that launched no device work have no window.
std::vector<StepWindow> device_windows(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
