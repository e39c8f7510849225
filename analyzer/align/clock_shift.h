// Brings the ranks' clocks onto one timeline as far as they are known to agree.
//
// Logs of one host and boot that count on its monotonic clock share that clock. All others are
// placed by CLOCK_REALTIME as recorded beside their own clock, which is as good as the hosts' time
// service. Traces that all lack it are taken to count on one clock; where only some lack it, those are
// not placed. The analysis of collectives checks afterwards whether it holds. Nothing is estimated here.
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

void shift_clocks(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
