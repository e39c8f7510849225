// Slices of time, for programs whose steps are not known: so that the ledger and the phases say when something happened
// even then.
//
// A slice is one second of the host. Slices are cut where the wall clock passes a full second, so that ranks with one
// clock cut alike, whenever they began; a first or last piece of less than half a second joins its neighbour.
// Example: a recording from 7.9 s to 11.2 s has the slices [7.9, 9), [9, 10) and [10, 11.2].
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// From the first call to the last. Where the device alone was recorded, there is one, of all that it did.
std::vector<HostStep> time_slices(const ProcessTrace& trace);

}  // namespace tauprof
