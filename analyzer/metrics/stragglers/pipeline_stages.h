// Which stage of a pipeline each rank is, and which collectives lie between stages.
//
// Messages link each rank with the stages beside it, whatever communicators they use: one for a pipeline, one for each
// pair of stages, or one for the job. A rank is the stage that its place in this chain says. Where ranks exchange
// messages with more than two others, the chain is not known; then a rank whose messages all go over one communicator
// is the stage that its number there says. (Ranks that pass data around a ring all send and receive at once; they are
// not stages.)
//
// Stages do different things in an order of their own, so what members of different stages spent on the way to a
// collective cannot be compared. Example: stages 0 and 1 are ranks 0 and 2, and again the replicas 1 and 3. The
// all-reduces of gradients, over {0, 1} and {2, 3}, lie within a stage. A message between 0 and 2 and the all-reduce of
// the norm over all four ranks lie between stages.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct StageOfRank {
  int32_t number = -1;  // from 0; negative: the rank is in no pipeline, or in several
  int32_t stages = 0;   // number of stages of its pipeline

  bool is_known() const { return number >= 0; }
  bool operator==(const StageOfRank&) const = default;
};

class PipelineStages {
 public:
  PipelineStages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  StageOfRank stage(uint32_t rank) const { return stages_[rank]; }  // `rank`: index into the timelines
  // The same; of a rank in a ring, its number there.
  StageOfRank place(uint32_t rank) const { return places_[rank]; }
  bool lies_between(const RankCollective& collective) const;
  bool lies_between(const MatchedCollective& match) const;

 private:
  std::vector<StageOfRank> stages_;
  std::vector<StageOfRank> places_;
  std::set<uint64_t> between_;  // communicators
};

}  // namespace tauprof
