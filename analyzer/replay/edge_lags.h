// How long after the end of one operation the next one starts, by kind of edge.
#pragma once

#include "model/rank_operations.h"

namespace tauprof {

// Sets `lags` of each device: the median over the operations of which it is clear that they waited for an edge of this
// kind alone, because every other edge had let them go long before. A launch lets go when its call returns: inside of a
// call nobody sees the moment. Edges within a thread have none.
//
// Where a host is too slow, no work ever waits for its stream's, and nothing is clear. Then the lag of a stream is
// taken from its least pauses, which are that or longer, but for no more than a device takes. Example: pauses
// of 1.0, 1.1, 14, 20, 31 … us, all behind late launches: about 1 us.
void set_lags(ProcessOperations& process);

}  // namespace tauprof
