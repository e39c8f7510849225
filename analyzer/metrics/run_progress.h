// How far a job had come, who waits in which collective or message, and whom for: for jobs that hang, died or still
// run.
//
// Collectives of a communicator come one after the other on every member. After those that all members are
// known to have completed, the first that not all have called alike is the one that matters: members that
// have called it wait there for those that have not, or that called something else in its place. Where all
// have called all alike, the first that they called long ago is taken to hang if what devices have done is known, else
// the last if a member sits in a call for long. Example, four ranks, everyone has completed number 40:
//
//   rank 0: called 41 (all_reduce)      rank 2: called nothing since 40
//   rank 1: called 41, 42               rank 3: called 41 (broadcast)
//
// Ranks 0 and 1 wait; rank 2 has not come; rank 3 called something else. A rank that has not come may itself wait
// elsewhere: then the search goes on there, and it is not suspected (hang_search.h). Messages are looked at in the same
// way (message_waits.h).
//
// A rank whose log says nothing newer than some seconds before the newest log does is silent: the recorder writes at
// least every second, so its process was killed, is stopped, or its host is gone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/hang_search.h"
#include "metrics/message_waits.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The recorder writes a sign of life every second.
inline constexpr Nanoseconds kSilence = 2'500'000'000;
// An operation that somebody waits in for longer is reported as one that hangs.
inline constexpr Nanoseconds kStuck = 2'000'000'000;

struct RankState {
  int32_t rank = -1;
  bool is_silent = false;
  Nanoseconds silent_for = 0;  // since the rank's last sign, until the newest of all ranks
  Nanoseconds doing_for = 0;   // since RankProgress::since
  RankProgress progress;       // times on the rank's clock
};

struct DifferentCall {
  int32_t rank = -1;
  CalledCollective call;
};

struct WaitingCollective {
  CalledCollective call;   // as most of those called it that wait in it
  Nanoseconds waited = 0;  // by the first who called it
  std::vector<int32_t> entered;
  std::vector<int32_t> not_entered;
  std::vector<DifferentCall> different;
  int32_t without_log = 0;  // members

  bool is_called_alike() const { return not_entered.empty() && different.empty(); }
};

struct CommunicatorState {
  std::string name;
  int32_t size = 0;
  std::vector<int32_t> ranks;        // members with a log
  std::optional<int64_t> completed;  // by all of them; none: not known
  int64_t furthest = 0;              // the last that one of them has called
  bool is_stuck = false;             // somebody waits in a collective for longer than kStuck
  std::optional<WaitingCollective> waiting;
};

enum class SuspectReason : uint8_t { kElsewhere, kSilent, kEnded, kDifferentCall, kDeadlock, kNoLog };

struct Suspect {
  int32_t rank = -1;
  SuspectReason reason = SuspectReason::kElsewhere;
};

struct RunProgress {
  bool is_finished = true;  // every log has an end
  bool is_stuck = false;    // somebody waits for longer than kStuck
  std::vector<RankState> ranks;
  std::vector<CommunicatorState> communicators;  // whoever waits longest first
  std::vector<WaitingMessage> messages;          // that hang
  std::vector<int32_t> inside_nccl;              // ranks that sit in a call of NCCL: nothing tells whom for
  std::vector<std::vector<RankWait>> deadlocks;  // ranks that wait for each other in a circle
  std::vector<Suspect> suspects;                 // by rank
};

RunProgress run_progress(const std::vector<RankTimeline>& ranks);

}  // namespace tauprof
