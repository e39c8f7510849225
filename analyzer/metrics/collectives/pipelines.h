// Pipelines: chains of ranks, found from the messages between them.
//
// In each step, the first message between two neighbours goes down the chain. The chain starts at a rank that sends
// before it receives. Example, three stages and two micro-batches: the first messages are 0 -> 1 and 1 -> 2; gradients
// come back later as 2 -> 1 and 1 -> 0. The chain is 0, 1, 2. Ranks that pass data around a ring send and receive in
// one group from the start, so they make no chain. Messages from the last stage to the first, which interleaved stages
// send, come later than the others and do not close a circle.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PipelineStage {
  int32_t rank = -1;
  Nanoseconds compute = 0;        // over the analysed steps
  Nanoseconds wait_previous = 0;  // exposed, in messages that the stage before delayed
  Nanoseconds wait_next = 0;      // the same, the stage after
  Nanoseconds caused = 0;         // the time that its neighbours waited for it
  double bubble() const {
    const auto waited = static_cast<double>(wait_previous + wait_next);
    return waited > 0 ? waited / (waited + static_cast<double>(compute)) : 0;
  }
};

struct Pipeline {
  std::vector<PipelineStage> stages;
  size_t critical = 0;           // the stage that computes longest
  size_t most_waited_for = 0;    // the stage that its neighbours wait for longest
  double imbalance = 0;          // its computing over the mean of all
  double bubble = 0;             // mean over the stages
  double messages_per_step = 0;  // from the first stage to the second
  // (p - 1) / (m + p - 1), of equal stages, p of them, with m messages: as many as micro-batches, or, of interleaved
  // stages, micro-batches times the parts that a rank has.
  std::optional<double> ideal_bubble;
};

// Who arrived last at a unit, and when: all of the unit's waiting is for that rank.
struct HeldUp {
  uint32_t by = kNoIndex;  // index of a timeline
  Nanoseconds until = 0;   // on the run's clock
};

class PipelineSearch {
 public:
  PipelineSearch(const std::vector<RankTimeline>& ranks, const StepSelection& steps) : ranks_(ranks), steps_(steps) {}

  void add_message(const CollectiveMember& source, const CollectiveMember& destination);
  // By first rank. `held_up`: of each unit of each rank.
  std::vector<Pipeline> find(const std::vector<std::vector<HeldUp>>& held_up) const;

 private:
  using Pair = std::pair<uint32_t, uint32_t>;  // source, destination: indices of timelines
  const RankStep* step_of(const CollectiveMember& member) const;
  std::vector<Pair> links() const;
  std::vector<std::vector<uint32_t>> chains() const;
  bool sends_first(uint32_t rank) const;
  Pipeline pipeline_of(const std::vector<uint32_t>& chain, const std::vector<std::vector<HeldUp>>& held_up) const;
  PipelineStage stage_of(const std::vector<uint32_t>& chain, size_t position, const std::vector<HeldUp>& held_up) const;

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  std::map<Pair, uint64_t> messages_;
  std::map<std::tuple<uint32_t, uint32_t, int64_t>, std::pair<Nanoseconds, uint32_t>> first_;  // when, and who sent
};

}  // namespace tauprof
