// Gives a communicator that ncclCommGrow made one identity on all its members.
//
// Old members know it by its parent, those that joined by a unique id. The member that handed out the id knows both,
// and its log says so. Example: ranks 0 and 1 made A from its parent, rank 2 joined B, and rank 0 says that A is B.
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

void unite_grown_communicators(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
