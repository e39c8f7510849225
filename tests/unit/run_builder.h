// Builds the timelines of several ranks that meet in collectives, as ranks are compared. Times in nanoseconds;
// every rank has one step, number 0, that holds everything.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

class RunBuilder {
 public:
  explicit RunBuilder(int ranks);

  // The rank's next collective on `communicator` (0: unnamed).
  RankCollective& collective(int rank, Nanoseconds start, Nanoseconds end, uint64_t communicator = 1,
                             log::Operation operation = log::Operation::kAllReduce, int64_t count = 1000);
  // The rank's next message to or from `peer`.
  RankCollective& message(int rank, Nanoseconds start, Nanoseconds end, int peer, bool is_send);

  std::vector<RankTimeline>& ranks() { return ranks_; }
  // By match: {rank, index among that rank's collectives}.
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> matched() const;

 private:
  std::vector<RankTimeline> ranks_;
};

}  // namespace tauprof
