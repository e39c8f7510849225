// How a process spent its host time up to the launch of each collective: the host side of a rank's dependency chain. A
// collective that starts right after its launch was late because the host was, whatever the device did meanwhile.
//
// All threads count as one sequence of outermost calls, since work moves from thread to thread (a backward pass starts
// when the main thread asks for it). An instant belongs to the first call in progress. Between calls it belongs to what
// the thread of the next call was doing if it also made the call before, else to launching.
#pragma once

#include <functional>
#include <vector>

#include "metrics/ledger/idle_cause.h"
#include "model/rank_timeline.h"

namespace tauprof {

// Told of what a thread spends, but not of each launch and short silence.
using HostStretches = std::function<void(uint16_t thread, Interval time, LedgerRow row)>;

// For each of `launches` (call indices, in any order): what had been spent when it started.
std::vector<HostSpending> host_spending(const ProcessTrace& trace, IdleCause& idle,
                                        const std::vector<uint32_t>& launches, const HostStretches& tell);

}  // namespace tauprof
