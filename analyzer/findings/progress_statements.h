// Statements about calls, waits and hangs, which findings and reports share.
#pragma once

#include <string_view>
#include <vector>

#include "findings/statement.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

std::string_view explanation_of(SuspectReason reason);

// "all_reduce of 4096 float", "broadcast of 16 half, root 3"
Statement described(const CalledCollective& call);
// Why a message is not carried out: "rank 1 waits for rank 0 to send it 4096 float"
Statement described(const WaitingMessage& message);
// "rank 0 waits in number 7 of A (all_reduce) for rank 1, which waits …"
Statement described(const std::vector<RankWait>& waits);
// "number 7 of A: rank 1 called …; rank 0 called …"
Statement described(const CollectiveMismatch& mismatch);

}  // namespace tauprof
