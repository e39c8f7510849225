// Do a rank's copies of input take longer than those of the ranks that do the same?
//
// Copies that nothing hides make a rank late. If its copies of input are what takes longer, they are why, however many
// bytes they copy; else something beside its input is. Example: four ranks copy a batch in 0.15 ms each, rank 1 in 4.5.
// It is late by 4.35 ms of exposed copies, and its copies of input take 4.35 ms longer.
//
// Step by step, against the lower median of the ranks that are its stage of a pipeline; a rank that is alone in its
// stage against what it usually takes itself.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "model/flat_map.h"
#include "model/rank_timeline.h"

namespace tauprof {

class InputTimes {
 public:
  InputTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  // Whether in these steps, by their numbers, its copies of input explain at least half of what its exposed copies take
  // too long. `rank`: index into the timelines.
  bool explain(uint32_t rank, std::pair<int64_t, int64_t> steps, double excess_ns) const;

 private:
  std::vector<FlatMap<int64_t, double>> longer_;  // than expected, in ns; by rank and step
};

}  // namespace tauprof
