// Slices of time stand in for unknown steps, so that the ledger and the phases still say when something happened.
//
// A slice is one second of the host. It ends where the wall clock reaches a full second, so that ranks with one clock
// have the same slices no matter when they started. A first or last piece shorter than half a second joins its
// neighbour. Example: a recording from 7.9 s to 11.2 s has the slices [7.9, 9), [9, 10) and [10, 11.2].
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// From the first call to the last. If only the device was recorded, one slice holds everything.
std::vector<HostStep> time_slices(const ProcessTrace& trace);

}  // namespace tauprof
