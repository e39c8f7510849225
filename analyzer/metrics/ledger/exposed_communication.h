// Books each stretch of exposed communication in the ledger, once waits are known: as transfer while any running
// collective moves data, else as unsplit while one runs that cannot be split, else as wait, since all of them wait for
// a peer. Among the collectives that decide the row, the one launched last gives the phase.
//
// The slices of exposed communication are not kept: they are as many as the collectives.
#pragma once

#include "model/rank_timeline.h"

namespace tauprof {

void book_exposed_communication(RankTimeline& rank);

}  // namespace tauprof
