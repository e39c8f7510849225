// How input reaches the devices: how long each rank waits for it, and in which pattern.
//
// A loader with workers has two speeds. While the prefetch buffer holds a batch, a fetch takes microseconds; when the
// buffer is empty, a fetch takes as long as a worker still needs. So if the workers barely keep up, waits form two
// groups. The positions of the long waits tell why:
//   every n-th step          n workers (or a prefetch depth of n) fill up together and run empty together
//   far apart, from step 0   the workers are started anew at each epoch
//   anywhere                 some batches take longer to decode than the buffer lasts
//   in every step            one group only: the loader is slower than the step
//
// A single long wait, such as that for the first batch of all, is no pattern.
//
// Example: waits of 0 0 0 31 0 0 0 29 0 0 0 30 ms form two groups, the long ones every 4 steps.
#pragma once

#include <optional>
#include <vector>

#include "metrics/statistics/statistics.h"
#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

enum class WaitPattern : uint8_t { kNone, kSteady, kBimodal, kEveryNth, kEpochStart };
inline constexpr std::string_view kWaitPatternNames[] = {"none", "steady", "bimodal", "every_nth", "epoch_start"};

struct RankInput {
  int32_t rank = -1;
  Statistics fetch_wait;  // host, by step
  Statistics copy;        // device, by step
  uint64_t batches = 0;
  WaitPattern pattern = WaitPattern::kNone;
  size_t every = 0;          // steps between long waits, where they come evenly
  double short_wait_ns = 0;  // mean of each group
  double long_wait_ns = 0;
  std::vector<int64_t> long_steps;
  uint64_t batches_between = 0;  // that came without a wait between two long ones, at the median; 0: they do wait
};

struct DataPipeline {
  std::vector<RankInput> ranks;
  Statistics fetch_wait;  // over ranks and steps
  Statistics copy;
  InputCopies copies;  // summed over ranks and steps
  // Of one rank: a step's batches over its duration. The mean is over the whole time.
  std::optional<double> batches_per_s_min, batches_per_s_mean, batches_per_s_max;
};

DataPipeline data_pipeline(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
