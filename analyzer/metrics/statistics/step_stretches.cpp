#include "metrics/statistics/step_stretches.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

StepStretches::StepStretches(const std::vector<RankTimeline>& ranks, const StepSelection& steps) : steps_(steps) {
  windows_.resize(std::min(steps.analysed.size(), kMostStretches));
  for (const RankTimeline& rank : ranks)
    for (const RankStep& step : rank.steps)
      if (const std::optional<size_t> stretch = of_step(step.number); stretch && step.device) ++windows_[*stretch];
}

std::optional<size_t> StepStretches::of_step(int64_t number) const {
  const auto& analysed = steps_.analysed;
  const auto found = std::lower_bound(analysed.begin(), analysed.end(), number,
                                      [](const StepDuration& step, int64_t wanted) { return step.number < wanted; });
  if (found == analysed.end() || found->number != number) return std::nullopt;
  return static_cast<size_t>(found - analysed.begin()) * count() / analysed.size();
}

}  // namespace tauprof
