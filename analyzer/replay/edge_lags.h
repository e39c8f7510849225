// How long after the end of one operation the next one starts, by kind of edge.
#pragma once

#include "model/rank_operations.h"

namespace tauprof {

// Sets `lags` of each device: the median over the operations of which it is clear that they waited for an edge of this
// kind alone, because every other edge had let them go long before. Edges within a thread have none.
void set_lags(ProcessOperations& process);

}  // namespace tauprof
