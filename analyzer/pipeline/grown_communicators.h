// Gives communicators that ncclCommGrow made, and those that were made from them, one identity on all their members
// (read/united_identities.h).
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

void unite_grown_communicators(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
