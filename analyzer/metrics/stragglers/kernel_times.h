// Does a rank launch more kernels than its peers, or do the same ones take longer?
//
// Over the run, kernel by kernel: what a rank spends beyond the typical peer is additional work as far as launches
// beyond the peer's can explain it, each as long as the longest; the rest is slowness. Example: rank 2 runs 100 matrix
// multiplications of 1.1 ms, its peers 100 of 1 ms, and it fills a mask 50 times in 2 µs each. It is slower by 10 ms
// and does 0.1 ms more, so those fills are not why it is late.
//
// Of matrix multiplications' operations and of threads, too, a rank has more only if it has over the run: what lies
// between two collectives may be more on one rank and is then less between the next two.
//
// Peers are ranks that are the same stage of a pipeline; where a rank has none, and where stages are compared with each
// other, all ranks.
#pragma once

#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "model/rank_timeline.h"

namespace tauprof {

class KernelTimes {
 public:
  KernelTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  enum class Peers { kOfStage, kAll };
  // `work`, without the measures by which the rank has no more to do than its peers. `rank`: index into the timelines.
  ComputeWork only_additional(uint32_t rank, Peers peers, ComputeWork work) const;

 private:
  struct BesidePeers {
    bool launches_more = false;  // and that costs more time than slowness does
    ComputeWork as_typical;      // 1: over the run, no more than the typical peer's; else 0
  };
  struct OfRun;
  static void compare(const OfRun& run, const std::vector<uint32_t>& ranks, const std::vector<uint32_t>& peers,
                      std::vector<BesidePeers>& result);

  std::vector<BesidePeers> beside_stage_, beside_all_;
};

// How many times as long as typical each rank's kernels usually take; 1 where they are not slower. A slow device is
// slow at everything, while a kernel may have more to do where another stage calls it. So in a step, of the kernels
// that others launch, too, nine tenths of a rank's time are in some that take as many times as long, or more. Usually:
// the lower median over steps.
std::vector<double> kernel_slowdowns(const std::vector<RankTimeline>& ranks);

}  // namespace tauprof
