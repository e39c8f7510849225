// How far a job had come and what it waits for: what progress_of_job.h finds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/hangs/hang_search.h"
#include "metrics/hangs/message_waits.h"
#include "model/rank_progress.h"

namespace tauprof {

struct RankState {
  int32_t rank = -1;
  bool is_silent = false;
  Nanoseconds silent_for = 0;  // from the rank's last sign of life to the newest of all ranks
  Nanoseconds doing_for = 0;   // since RankProgress::since
  RankProgress progress;       // times on the rank's clock
};

struct DifferentCall {
  int32_t rank = -1;
  CalledCollective call;
};

struct WaitingCollective {
  CalledCollective call;   // as most members called it
  Nanoseconds waited = 0;  // by the rank that has waited longest
  std::vector<int32_t> entered;
  std::vector<int32_t> not_entered;
  std::vector<DifferentCall> different;
  int32_t without_log = 0;  // number of members

  bool is_called_alike() const { return not_entered.empty() && different.empty(); }
};

struct CommunicatorState {
  std::string name;
  int32_t size = 0;
  std::vector<int32_t> ranks;        // members with a log
  std::optional<int64_t> completed;  // the last collective that all members completed; none: not known
  int64_t furthest = 0;              // the last collective that any member has called
  bool is_stuck = false;             // a member has waited in a collective for longer than JobProgress::patience
  std::optional<WaitingCollective> waiting;
};

enum class SuspectReason : uint8_t { kElsewhere, kSilent, kEnded, kDifferentCall, kDeadlock, kNoLog };

struct Suspect {
  int32_t rank = -1;
  SuspectReason reason = SuspectReason::kElsewhere;
};

struct JobProgress {
  bool is_finished = true;   // every log has an end
  bool is_stuck = false;     // a rank has waited for longer than `patience`
  Nanoseconds patience = 0;  // the longest step of any rank, kStuck at least
  std::vector<RankState> ranks;
  std::vector<CommunicatorState> communicators;  // by wait, the longest first
  std::vector<WaitingMessage> messages;          // those that hang
  std::vector<int32_t> inside_nccl;              // ranks that wait inside a call of NCCL; nothing tells for whom
  std::vector<std::vector<RankWait>> deadlocks;  // circles of ranks that wait for each other
  std::vector<Suspect> suspects;                 // by rank

  // The longest wait of those that count.
  Nanoseconds waited() const;
  // It is stuck, and will not go on: not if it waits for ranks that are alive or have no log, unless it has done so for
  // so long that frameworks give up. Such a rank may come, as after writing a checkpoint.
  bool hangs() const;
};

}  // namespace tauprof
