// How a process spent its host time up to the launch of each collective: the host side of a rank's
// dependency chain. A collective that starts right after its launch was late because the host was,
// whatever the device did meanwhile.
//
// All threads count as one sequence of outermost calls, since work is handed from thread to thread
// (a backward pass starts when the main thread asks for it): an instant belongs to the first call in
// progress; between calls, to what the thread of the next call was doing, if it also made the call
// before.
#pragma once

#include <vector>

#include "metrics/idle_cause.h"
#include "model/rank_timeline.h"

namespace tauprof {

// `launches`: call indices, in any order. Gives for each what had been spent when it began.
std::vector<HostSpending> host_spending(const ProcessTrace& trace, const IdleCause& idle,
                                        const std::vector<uint32_t>& launches);

}  // namespace tauprof
