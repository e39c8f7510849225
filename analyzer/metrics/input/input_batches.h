// How many batches of input each step copies to the device. Input copies in a row are the tensors of one batch; the
// next kernel or collective that the process launches on the device ends it, and so does the next step.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct StepBatches {
  uint32_t count = 0;
  int64_t bytes = 0;  // of all of them
};

// One entry for each of trace.steps. Batches of extra work after a step (an evaluation) do not count.
std::vector<StepBatches> input_batches(const ProcessTrace& trace, const DeviceTrace& device);

// How many backward passes the framework marked in each of trace.steps, those inside of others left out.
std::vector<uint32_t> backward_passes(const ProcessTrace& trace);

}  // namespace tauprof
