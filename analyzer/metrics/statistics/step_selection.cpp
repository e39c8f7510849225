#include "metrics/statistics/step_selection.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

std::vector<StepDuration> mean_durations(const std::vector<RankTimeline>& ranks) {
  struct Sum {
    Nanoseconds total = 0;
    size_t count = 0;
  };
  std::map<int64_t, Sum> sums;
  for (const RankTimeline& rank : ranks)
    for (const RankStep& step : rank.steps) {
      sums[step.number].total += step.device.length();
      ++sums[step.number].count;
    }
  std::vector<StepDuration> durations;
  for (const auto& [number, sum] : sums)
    durations.push_back({number, static_cast<double>(sum.total) / static_cast<double>(sum.count)});
  return durations;
}

size_t count_warmup(const std::vector<StepDuration>& steps) {
  if (steps.size() < kWarmupMinimumSteps) return 0;
  std::vector<double> later;
  for (size_t i = steps.size() / 2; i < steps.size(); ++i) later.push_back(steps[i].mean_ns);
  std::nth_element(later.begin(), later.begin() + later.size() / 2, later.end());
  const double limit = kWarmupFactor * later[later.size() / 2];
  const size_t most = std::min(kLeadingSteps, steps.size() / 2);
  size_t warmup = 0;
  while (warmup < most && steps[warmup].mean_ns > limit) ++warmup;
  return warmup;
}

}  // namespace

StepSelection select_steps(const std::vector<RankTimeline>& ranks, const std::optional<StepRange>& choice) {
  StepSelection selection;
  const std::vector<StepDuration> all = mean_durations(ranks);
  const bool are_steps =
      std::none_of(ranks.begin(), ranks.end(), [](const RankTimeline& rank) { return rank.steps_source == kByTime; });
  if (!choice && are_steps) selection.warmup = count_warmup(all);
  for (size_t i = selection.warmup; i < all.size(); ++i) {
    if (choice && !choice->has(all[i].number)) {
      ++selection.outside;
      continue;
    }
    selection.analysed.push_back(all[i]);
    selection.numbers.insert(all[i].number);
  }
  return selection;
}

}  // namespace tauprof
