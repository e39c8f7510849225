// Messages by channel: how many, how large, and who waits for whom in them.
//
// A channel is a communicator with a source and a destination. In each message, the side that arrives first waits for
// the other. The waits are upper bounds, since sends may be buffered.
#pragma once

#include <string>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/collectives/pipelines.h"
#include "metrics/statistics/step_selection.h"

namespace tauprof {

struct MessageChannel {
  std::string communicator;
  int32_t source = -1;  // ranks of the job
  int32_t destination = -1;
  uint64_t count = 0;
  int64_t bytes = 0;
  uint64_t split =
      0;  // messages with device times of both sides on comparable clocks; the times below cover only these
  Nanoseconds source_wait = 0;
  Nanoseconds destination_wait = 0;
  Nanoseconds transfer = 0;  // on the destination, after both arrived
};

struct MessageTable {
  std::vector<MessageChannel> channels;  // by wait, the longest first
  std::vector<Pipeline> pipelines;       // by first rank
};

MessageTable message_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                           const StepSelection& steps);

}  // namespace tauprof
