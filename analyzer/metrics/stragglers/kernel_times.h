// Does a rank launch more kernels than its peers, or do the same ones take longer?
//
// Over the run, kernel by kernel: launches beyond the typical peer's, at what a launch typically takes, are additional
// work; longer times of the others are slowness. Example: rank 2 runs 100 matrix multiplications of 1.1 ms, its peers
// 100 of 1 ms, and it fills a mask 50 times in 2 µs each. It is slower by 10 ms and does 0.1 ms more, so those fills are
// not why it is late.
//
// Of matrix multiplications' operations and of threads, too, a rank has more only if it has over the run: what lies
// between two collectives may be more on one rank and is then less between the next two.
//
// Peers are ranks that are the same stage of a pipeline; where a rank has none, all ranks.
#pragma once

#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "model/rank_timeline.h"

namespace tauprof {

class KernelTimes {
 public:
  KernelTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  // `work`, without the measures by which the rank has no more to do than its peers. `rank`: index into the timelines.
  ComputeWork only_additional(uint32_t rank, ComputeWork work) const;

 private:
  std::vector<bool> launches_more_;  // and that costs more time than slowness does
  std::vector<ComputeWork> as_typical_;  // 1: over the run, no more than the typical peer's; else 0
};

}  // namespace tauprof
