// Findings about jobs that hang and about ranks that did not call the same collectives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "findings/find.h"

namespace tauprof {

std::string_view explanation_of(SuspectReason reason);

// "all_reduce of 4096 float", "broadcast of 16 half, root 3"
std::string call_text(const CalledCollective& call);
// "rank 1 waits for rank 0 to send it 4096 float"; what keeps a message from being carried out.
std::string message_text(const WaitingMessage& message);
// "rank 0 waits in number 7 of A (all_reduce) for rank 1, which waits …"
std::string circle_text(const std::vector<RankWait>& waits);
// "number 7 of A: rank 1 called …; rank 0 called …"
std::string mismatch_text(const CollectiveMismatch& mismatch);

void add_progress_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
