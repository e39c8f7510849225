// How many batches of input each step brings to the device: input copies in a row are one batch (its tensors), up to
// the next kernel or collective that the process launches for the device.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// One entry per step of trace.steps. What lies behind a step (an evaluation) does not count.
std::vector<uint32_t> input_batches(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
