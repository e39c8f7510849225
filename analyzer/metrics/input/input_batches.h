// How many batches of input each step copies to the device. Input copies in a row are the tensors of one batch; the
// next kernel or collective that the process launches on the device ends it, and so does the next step.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// One entry for each of trace.steps. Batches of extra work after a step (an evaluation) do not count.
std::vector<uint32_t> input_batches(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
