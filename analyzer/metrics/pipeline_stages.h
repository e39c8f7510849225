// Which stage of a pipeline each rank is, and which collectives lie between stages.
//
// A rank whose messages all go over one communicator is the stage that its number there says. (Ranks that pass data
// around a ring send and receive at once, all do the same, and are no stages.) Stages do different things in an order
// of their own, so what members of different stages spent on the way to a collective cannot be compared. Example:
// stages 0 and 1 are ranks 0 and 2, their replicas 1 and 3. The all-reduces of gradients, of {0, 1} and {2, 3}, lie
// within a stage; a message between 0 and 2, and the all-reduce of all four ranks' norm, do not.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "metrics/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PipelineStage {
  int32_t number = -1;  // counted from 0; negative: the rank is in no pipeline, or in several
  int32_t stages = 0;   // of its pipeline

  bool is_known() const { return number >= 0; }
  bool operator==(const PipelineStage&) const = default;
};

class PipelineStages {
 public:
  PipelineStages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  PipelineStage stage(uint32_t rank) const { return stages_[rank]; }  // of a rank's index
  bool lies_between(const RankCollective& collective) const;
  bool lies_between(const MatchedCollective& match) const;

 private:
  std::vector<PipelineStage> stages_;
  std::set<uint64_t> between_;  // communicators
};

}  // namespace tauprof
