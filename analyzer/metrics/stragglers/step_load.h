// A rank's own time in a step, row by row of the ledger, without communication.
#pragma once

#include <cstddef>

#include "model/rank_timeline.h"

namespace tauprof {

// Whether time on the row is a rank's own, and not the network's or its peers'.
bool is_own(size_t row);

SpentTime load_of(const RankStep& step);

}  // namespace tauprof
