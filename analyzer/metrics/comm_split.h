// Books each stretch of exposed communication in the ledger, now that waits are known: transfer
// while some running collective moves data, unsplit while one that cannot be split runs, wait while
// every running one waits for a peer. The phase is that of the deciding collective that was launched
// last.
#pragma once

#include "model/rank_timeline.h"

namespace tauprof {

void book_exposed_communication(RankTimeline& rank);

}  // namespace tauprof
