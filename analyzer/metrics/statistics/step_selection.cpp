#include "metrics/statistics/step_selection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

std::vector<StepDuration> mean_durations(const std::vector<RankTimeline>& ranks) {
  struct Sum {
    void add(Nanoseconds length) { total += length, ++count; }
    double mean() const { return static_cast<double>(total) / static_cast<double>(count); }
    Nanoseconds total = 0;
    size_t count = 0;
  };
  struct Sums {
    Sum device, host, ahead;
  };
  std::map<int64_t, Sums> sums;
  for (const RankTimeline& rank : ranks)
    for (const RankStep& step : rank.steps) {
      Sums& step_sums = sums[step.number];
      step_sums.host.add(step.host.length());
      if (!step.device) continue;
      step_sums.device.add(step.device->length());
      step_sums.ahead.add(step.ahead);
    }
  std::vector<StepDuration> durations;
  for (const auto& [number, step_sums] : sums) {
    durations.push_back({number, std::nullopt, step_sums.host.mean()});
    if (step_sums.device.count == 0) continue;
    durations.back().device_ns = step_sums.device.mean();
    durations.back().ahead_ns = step_sums.ahead.mean();
  }
  return durations;
}

size_t count_warmup(const std::vector<StepDuration>& steps) {
  if (steps.size() < kWarmupMinimumSteps) return 0;
  const bool are_timed = std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.device_ns; });
  const auto length = [&](const StepDuration& step) {
    const double on_device = step.comparable_ns().value_or(0);
    if (!are_timed) return step.host_ns;
    return step.ahead_ns > 0 ? std::max(on_device, step.host_ns) : on_device;
  };
  std::vector<double> later;
  for (size_t i = steps.size() / 2; i < steps.size(); ++i)
    if (length(steps[i]) > 0) later.push_back(length(steps[i]));
  if (later.empty()) return 0;
  std::nth_element(later.begin(), later.begin() + later.size() / 2, later.end());
  const double limit = kWarmupFactor * later[later.size() / 2];
  const size_t most = std::min(kLeadingSteps, steps.size() / 2);
  size_t warmup = 0;
  while (warmup < most && length(steps[warmup]) > limit) ++warmup;
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
