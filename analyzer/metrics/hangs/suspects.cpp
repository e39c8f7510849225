#include "metrics/hangs/suspects.h"

#include <algorithm>
#include <map>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

class SuspectSearch {
 public:
  SuspectSearch(const std::vector<HangingOperation>& operations, int32_t world_size, JobProgress& progress)
      : operations_(operations), world_size_(world_size), progress_(progress) {
    for (const RankState& state : progress.ranks) state_of_[state.rank] = &state;
  }

  void find() {
    progress_.is_stuck = !operations_.empty() || !progress_.messages.empty() || !progress_.inside_nccl.empty();
    HangCauses causes = find_hang_causes(operations_);
    std::map<int32_t, SuspectReason> suspects;
    for (const int32_t rank : causes.not_come) suspects.emplace(rank, reason_of(rank));
    for (const std::vector<RankWait>& circle : causes.deadlocks)
      for (const RankWait& wait : circle) suspects.emplace(wait.rank, SuspectReason::kDeadlock);
    suspect_different(suspects);
    suspect_idle(suspects);
    for (const RankState& rank : progress_.ranks)
      if (rank.is_silent) suspects.emplace(rank.rank, SuspectReason::kSilent);
    for (const int32_t rank : without_log()) suspects.emplace(rank, SuspectReason::kNoLog);
    for (const auto& [rank, reason] : suspects) progress_.suspects.push_back({rank, reason});
    progress_.deadlocks = std::move(causes.deadlocks);
  }

 private:
  void suspect_different(std::map<int32_t, SuspectReason>& suspects) const {
    for (const CommunicatorState& state : progress_.communicators) {
      if (!state.is_stuck) continue;
      for (const DifferentCall& different : state.waiting->different)
        suspects[different.rank] = SuspectReason::kDifferentCall;
      // If two members disagree, nothing tells which of them is wrong.
      if (!state.waiting->different.empty() && state.waiting->entered.size() == 1)
        suspects[state.waiting->entered.front()] = SuspectReason::kDifferentCall;
    }
    for (const WaitingMessage& message : progress_.messages)
      if (message.is_different())
        suspects[message.source] = suspects[message.destination] = SuspectReason::kDifferentCall;
  }

  // While others wait inside calls of NCCL: ranks that have long done nothing and wait nowhere.
  void suspect_idle(std::map<int32_t, SuspectReason>& suspects) const {
    if (progress_.inside_nccl.empty()) return;
    std::set<int32_t> busy = callers_of(operations_);
    busy.insert(progress_.inside_nccl.begin(), progress_.inside_nccl.end());
    for (const RankState& state : progress_.ranks)
      if (busy.count(state.rank) == 0 && state.doing_for >= progress_.patience) suspects.emplace(state.rank, reason_of(state.rank));
  }

  SuspectReason reason_of(int32_t rank) const {
    if (state_of(rank).progress.is_closed) return SuspectReason::kEnded;
    return state_of(rank).is_silent ? SuspectReason::kSilent : SuspectReason::kElsewhere;
  }

  // Ranks of the job without a log, if an operation hangs although all recorded members have come.
  std::vector<int32_t> without_log() const {
    const bool lacks_member =
        std::any_of(progress_.communicators.begin(), progress_.communicators.end(), [](const CommunicatorState& state) {
          return state.is_stuck && state.waiting->without_log > 0 && state.waiting->is_called_alike();
        });
    const bool lacks = lacks_member || !progress_.inside_nccl.empty() ||
                       std::any_of(progress_.messages.begin(), progress_.messages.end(),
                                   [](const WaitingMessage& message) { return message.is_without_log; });
    std::vector<int32_t> missing;
    for (int32_t rank = 0; lacks && rank < world_size_; ++rank)
      if (state_of_.count(rank) == 0) missing.push_back(rank);
    return missing;
  }

  const RankState& state_of(int32_t rank) const { return *state_of_.at(rank); }

  const std::vector<HangingOperation>& operations_;
  const int32_t world_size_;
  JobProgress& progress_;
  std::map<int32_t, const RankState*> state_of_;
};

}  // namespace

std::set<int32_t> callers_of(const std::vector<HangingOperation>& operations) {
  std::set<int32_t> callers;
  for (const HangingOperation& operation : operations)
    for (const HangingOperation::Participant& participant : operation.participants)
      if (participant.has_called) callers.insert(participant.rank);
  return callers;
}

void find_suspects(const std::vector<HangingOperation>& operations, int32_t world_size, JobProgress& progress) {
  SuspectSearch(operations, world_size, progress).find();
}

}  // namespace tauprof
