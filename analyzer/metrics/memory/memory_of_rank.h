// How much of a device's memory was in use, from the calls that allocate and free it.
//
// Example: 100 bytes allocated before the first step, 30 in the forward pass of each step and never freed: the peak of
// three steps is 190, of which `other` has 100 and forward 90.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

// `steps`: of the rank, by time.
RankMemory memory_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<RankStep>& steps);

}  // namespace tauprof
