#include "metrics/hangs/job_progress.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool may_come(SuspectReason reason) { return reason == SuspectReason::kElsewhere || reason == SuspectReason::kNoLog; }

}  // namespace

Nanoseconds JobProgress::waited() const {
  Nanoseconds longest = 0;
  for (const CommunicatorState& state : communicators)
    if (state.is_stuck) longest = std::max(longest, state.waiting->waited);
  for (const WaitingMessage& message : messages) longest = std::max(longest, message.waited);
  for (const RankState& state : ranks)
    if (std::find(inside_nccl.begin(), inside_nccl.end(), state.rank) != inside_nccl.end())
      longest = std::max(longest, state.doing_for);
  return longest;
}

bool JobProgress::hangs() const {
  if (!is_stuck) return false;
  const bool may_go_on = !suspects.empty() && std::all_of(suspects.begin(), suspects.end(), [](const Suspect& suspect) {
    return may_come(suspect.reason);
  });
  return !may_go_on || waited() >= kGivenUp;
}

}  // namespace tauprof
