// Builds the timelines of several ranks that meet in collectives: what is left of traces when ranks
// are compared. Times in nanoseconds, every rank with a step of number 0 that holds everything.
#pragma once

#include <vector>

#include "metrics/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

class RunBuilder {
 public:
  explicit RunBuilder(int ranks);

  // The rank's next collective on `communicator` (0: it has no name).
  RankCollective& collective(int rank, Nanoseconds start, Nanoseconds end, uint64_t communicator = 1,
                             log::Operation operation = log::Operation::kAllReduce, int64_t count = 1000);
  // The rank's next message to or from `peer`.
  RankCollective& message(int rank, Nanoseconds start, Nanoseconds end, int peer, bool is_send);

  std::vector<RankTimeline>& ranks() { return ranks_; }
  // Numbers of the ranks' collectives that were matched: {rank, which of its own}, by match.
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> matched() const;

 private:
  std::vector<RankTimeline> ranks_;
};

}  // namespace tauprof
