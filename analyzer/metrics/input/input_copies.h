// How input is copied to a device: how long it takes, whether the host waits for it, and on which stream.
//
// An asynchronous copy from pinned memory returns at once; one from pageable memory takes until it is done. A program
// may wait for its copies itself: PyTorch synchronises after each copy without non_blocking.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// The synchronisations that follow a copy of input on their thread, with nothing launched between: the copy's call, by
// the synchronisation's.
std::unordered_map<uint32_t, uint32_t> waits_after_input(const ProcessTrace& trace);

// Fills `input_copies` of the steps that have a device window.
void total_input_copies(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps);

}  // namespace tauprof
