// The device windows of a rank's steps (docs/metrics.md, "Notation").
//
// Window k runs from the first device span launched by step k to the first launched by step k + 1;
// the last ends with the last span that a step launched. Where work of a later step starts before
// an earlier step's first span (a prefetch on its own stream), the boundary is the earliest start
// over all later steps, so that windows tile the run and never go backwards.
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
