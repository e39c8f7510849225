// The analysed steps in stretches of equal length: for what is too much to keep step by step, and must still tell how
// it varies along the run. Example: 116 steps are 32 stretches of 3 or 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

class StepStretches {
 public:
  StepStretches(const std::vector<RankTimeline>& ranks, const StepSelection& steps);

  size_t count() const { return windows_.size(); }
  // Nothing for a step that is not analysed.
  std::optional<size_t> of_step(int64_t number) const;
  // Analysed device windows of all ranks in a stretch.
  double windows(size_t stretch) const { return static_cast<double>(windows_[stretch]); }
  // … and in all of them.
  double windows() const { return static_cast<double>(std::accumulate(windows_.begin(), windows_.end(), size_t{0})); }

 private:
  const StepSelection& steps_;
  std::vector<size_t> windows_;  // by stretch
};

}  // namespace tauprof
