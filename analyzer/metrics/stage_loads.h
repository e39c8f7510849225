// How much more a stage of a pipeline computes than the typical stage.
//
// That a stage waits for the one before lies in the nature of a pipeline. That one of them takes longer over each
// micro-batch than the others does not: everybody waits for it at every message. A stage's load in a step is what its
// ranks (the lower median of its replicas) computed from their last message of the step before to their last one of
// this step; the typical load is the lower median of the stages. Example: stages of 2, 2, 2 and 3 layers, 10 ms each.
// The last one's load is 30 ms a micro-batch, the typical one's 20 ms: a third of what it computes on the way to a
// message is its excess. It also ran more kernels, so it has more to compute (compute_work.h); otherwise it would be
// slower.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "metrics/pipeline_stages.h"
#include "model/rank_timeline.h"

namespace tauprof {

class StageLoads {
 public:
  StageLoads(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  struct Excess {
    double share = 0;  // of what it computes; 0: it is as loaded as the typical stage, or nothing tells
    bool has_more_work = false;
  };
  // Of the stage that this rank (an index) is, in the step of this collective.
  Excess excess(uint32_t rank, uint32_t collective) const;

 private:
  struct Load {
    int64_t compute_ns = 0;
    ComputeWork work;
  };
  using Pipeline = std::pair<int64_t, int32_t>;  // step, stages
  using Stages = std::map<int32_t, Load>;        // by place
  using Replicas = std::map<Pipeline, std::map<int32_t, std::vector<Load>>>;

  static void add_loads(const RankTimeline& rank, Replicas& replicas);
  static Load lower_median(std::vector<Load> loads);

  const std::vector<RankTimeline>& ranks_;
  const PipelineStages& stages_;
  std::map<Pipeline, Stages> loads_;
  std::map<Pipeline, Load> typical_;
};

}  // namespace tauprof
