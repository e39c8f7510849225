// Who delays whom where collectives and messages hang.
//
// A rank that has called an operation waits there for members that have not called it, or called something else
// instead. Devices carry out a rank's communication in the order of its calls. So a rank that has called two operations
// is in the first and has not come to the second: the others wait for it there. A silent rank has come nowhere,
// whatever its host had called. That gives edges from ranks to ranks. A rank that others wait for and that waits for
// nobody has not come for reasons of its own:
//
//   rank 0 waits in A for rank 1, rank 1 in B for rank 2, rank 2 for nobody       2 has not come
//
// If no path leads to such a rank, ranks wait for each other in a circle:
//
//   rank 0 called A, then B; rank 1 called B, then A       0 waits in A for 1, 1 in B for 0: a deadlock
#pragma once

#include <string>
#include <vector>

#include "model/rank_progress.h"

namespace tauprof {

// A collective or message that some ranks have called and that has not been carried out.
struct HangingOperation {
  struct Participant {
    int32_t rank = -1;
    bool has_called = false;
    bool is_different = false;  // called something else instead
    Nanoseconds called = 0;     // on the run's clock
    int64_t group = 0;          // calls of one NCCL group run together; 0: none
    bool is_silent = false;     // its host may have called it, but its process is stalled: it has not come
  };
  std::string communicator;
  CalledCollective call;
  std::vector<Participant> participants;  // members with a log
};

struct RankWait {
  int32_t rank = -1;
  int32_t for_rank = -1;
  std::string communicator;
  CalledCollective call;  // the one that it waits in
};

struct HangCauses {
  std::vector<int32_t> not_come;                 // by rank
  std::vector<std::vector<RankWait>> deadlocks;  // each a circle
};

HangCauses find_hang_causes(const std::vector<HangingOperation>& operations);

}  // namespace tauprof
