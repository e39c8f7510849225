// Input on its way to the device: how its copies are made, and how many batches a step gets.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

// How input is copied to a device: how long it takes, whether the host waits for it, and on which stream.
//
// An asynchronous copy from pinned memory returns at once; one from pageable memory takes until it is done. A program
// may wait for its copies itself: PyTorch synchronises after each copy without non_blocking.

// The synchronisations that follow a copy of input on their thread, with nothing launched between: the copy's call, by
// the synchronisation's.
std::unordered_map<uint32_t, uint32_t> waits_after_input(const ProcessTrace& trace);

// Fills `input_copies` of the steps that have a device window.
void total_input_copies(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps);

// How many batches of input each step copies to the device. Input copies in a row are the tensors of one batch; the
// next kernel or collective that the process launches on the device ends it, and so does the next step.

struct StepBatches {
  uint32_t count = 0;
  int64_t bytes = 0;  // of all of them
};

// One entry for each of trace.steps. Batches of extra work after a step (an evaluation) do not count.
std::vector<StepBatches> input_batches(const ProcessTrace& trace, const DeviceTrace& device);

// How many backward passes the framework marked in each of trace.steps, those inside of others left out.
std::vector<uint32_t> backward_passes(const ProcessTrace& trace);

}  // namespace tauprof
