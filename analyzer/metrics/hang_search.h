// Who holds up whom where collectives and messages hang.
//
// A rank waits in an operation that it has called for those that have not called it, or that called something else in
// its place. Devices carry out a rank's communication in the order of its calls, so a rank that has called two
// operations is in the first of them, and has not come to the second: the others wait for it there. That gives edges
// from ranks to ranks. Whoever others wait for, and who itself waits for nobody, has not come on its own account:
//
//   rank 0 waits in A for rank 1, rank 1 in B for rank 2, rank 2 for nobody       2 has not come
//
// Where no path leads out to such a rank, ranks wait for each other in a circle:
//
//   rank 0 called A, then B; rank 1 called B, then A       0 waits in A for 1, 1 in B for 0: a deadlock
#pragma once

#include <string>
#include <vector>

#include "model/rank_progress.h"

namespace tauprof {

// A collective or message that some have called, and that has not been carried out.
struct HangingOperation {
  struct Participant {
    int32_t rank = -1;
    bool has_called = false;
    bool is_different = false;  // called something else in its place
    Nanoseconds called = 0;     // on the run's clock
    int64_t group = 0;          // calls of one NCCL group run at once; 0: none
  };
  std::string communicator;
  CalledCollective call;
  std::vector<Participant> participants;  // those with a log
};

struct RankWait {
  int32_t rank = -1;
  int32_t for_rank = -1;
  std::string communicator;
  CalledCollective call;  // in which it waits
};

struct HangCauses {
  std::vector<int32_t> not_come;                 // by rank
  std::vector<std::vector<RankWait>> deadlocks;  // each a circle
};

HangCauses find_hang_causes(const std::vector<HangingOperation>& operations);

}  // namespace tauprof
