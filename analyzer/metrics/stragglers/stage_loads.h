// How much more a stage of a pipeline computes than the typical stage.
//
// A stage waits for the one before it by the nature of a pipeline. But if one stage takes longer over each micro-batch
// than the others, every stage waits for it at every message. A stage's load in a step is what it computed from its
// last message of the previous step to its last message of this step (the lower median of its replicas). The typical
// load is the lower median of the stages. Example: stages have 2, 2, 2 and 3 layers of 10 ms each. The last stage's
// load is 30 ms a micro-batch, the typical one 20 ms, so a third of what it computes on the way to a message is excess.
// It also ran more kernels, so it has more to compute (compute_work.h); otherwise it would be slower.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "model/rank_timeline.h"

namespace tauprof {

class StageLoads {
 public:
  StageLoads(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  struct Excess {
    double share = 0;  // of what it computes; 0: its load is typical, or nothing tells
    bool has_more_work = false;
  };
  // The excess of this rank's stage in the step of this collective. `rank`: index into the timelines.
  Excess excess(uint32_t rank, uint32_t collective) const;

 private:
  struct Load {
    int64_t compute_ns = 0;
    ComputeWork work;
  };
  using Pipeline = std::pair<int64_t, int32_t>;  // step, stages
  using Stages = std::map<int32_t, Load>;        // by stage
  using Replicas = std::map<Pipeline, std::map<int32_t, std::vector<Load>>>;

  static void add_loads(const RankTimeline& rank, Replicas& replicas);
  static Load lower_median(std::vector<Load> loads);

  const std::vector<RankTimeline>& ranks_;
  const PipelineStages& stages_;
  std::map<Pipeline, Stages> loads_;
  std::map<Pipeline, Load> typical_;
};

}  // namespace tauprof
