// Messages by channel, who waits for whom in them, and the pipelines that they make.
//
// A channel is a communicator with a source and a destination. Of each message the receiver waits from its own arrival
// to the sender's, or the sender for the receiver; both are upper bounds, for a send may be buffered.
//
// A pipeline is a chain of ranks along which the first message between two neighbours goes in each step. It begins with
// a rank that sends before it receives. Example, three stages and two micro-batches: the first messages are 0 -> 1 and
// 1 -> 2, later come 2 -> 1 and 1 -> 0 with gradients; the chain is 0, 1, 2. (Ranks that pass data on around a ring
// send and receive in one group from the start, and make none.) Messages from the last stage to the first, as
// interleaved stages send them, come later than the others and close no circle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/collective_match.h"
#include "metrics/step_selection.h"

namespace tauprof {

struct MessageChannel {
  std::string communicator;
  int32_t source = -1;  // ranks of the job
  int32_t destination = -1;
  uint64_t count = 0;
  int64_t bytes = 0;
  uint64_t split = 0;  // messages of which both sides were recorded on comparable clocks; the times are theirs
  Nanoseconds source_wait = 0;
  Nanoseconds destination_wait = 0;
  Nanoseconds transfer = 0;  // on the destination, once both had come
};

struct PipelineStage {
  int32_t rank = -1;
  Nanoseconds compute = 0;        // over the analysed steps
  Nanoseconds wait_previous = 0;  // exposed, in messages that the stage before held up
  Nanoseconds wait_next = 0;      // the same, the stage after
  double bubble() const {
    const auto waited = static_cast<double>(wait_previous + wait_next);
    return waited > 0 ? waited / (waited + static_cast<double>(compute)) : 0;
  }
};

struct Pipeline {
  std::vector<PipelineStage> stages;
  size_t critical = 0;                 // the stage that computes longest
  double imbalance = 0;                // its computing over the mean of all
  double bubble = 0;                   // mean over the stages
  double messages_per_step = 0;        // from the first stage to the second
  std::optional<double> ideal_bubble;  // (p - 1) / (m + p - 1), of equal stages, p of them, with m messages
};

struct MessageTable {
  std::vector<MessageChannel> channels;  // whoever waits longest first
  std::vector<Pipeline> pipelines;       // by first rank
};

MessageTable message_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                           const StepSelection& steps);

}  // namespace tauprof
