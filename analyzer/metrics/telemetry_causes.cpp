#include "metrics/telemetry_causes.h"

#include <algorithm>

#include "metrics/thresholds.h"

namespace tauprof {
namespace {

// The upper of the middle two; none of nothing.
std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

TelemetryCauses::TelemetryCauses(const std::vector<RankTimeline>& ranks, const StepSelection& steps)
    : ranks_(ranks), steps_(ranks.size(), std::vector<const RankStep*>(steps.analysed.size(), nullptr)) {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const RankStep& step : ranks[rank].steps) {
      const auto found =
          std::lower_bound(steps.analysed.begin(), steps.analysed.end(), step.number,
                           [](const StepDuration& analysed, int64_t number) { return analysed.number < number; });
      if (found != steps.analysed.end() && found->number == step.number)
        steps_[rank][static_cast<size_t>(found - steps.analysed.begin())] = &step;
    }
}

bool TelemetryCauses::is_throttled(size_t rank, size_t step) const {
  const RankStep* own = step_of(rank, step);
  if (own == nullptr || !own->health.sm_clock_mhz) return false;
  std::vector<double> others;
  for (size_t i = 0; i < ranks_.size(); ++i) {
    const RankStep* other = step_of(i, step);
    if (i != rank && other != nullptr && other->health.sm_clock_mhz &&
        ranks_[i].device_name == ranks_[rank].device_name)
      others.push_back(*other->health.sm_clock_mhz);
  }
  const std::optional<double> typical = median_of(std::move(others));
  return typical && *own->health.sm_clock_mhz < kThrottledClock * *typical;
}

uint64_t TelemetryCauses::throttle_reasons(size_t rank) const {
  uint64_t bits = 0;
  for (size_t step = 0; step < steps_[rank].size(); ++step)
    if (is_throttled(rank, step)) bits |= step_of(rank, step)->health.throttle_reasons;
  return bits;
}

bool TelemetryCauses::lacked_cpu(size_t rank, size_t step, double lateness_ns) const {
  const RankStep* own = step_of(rank, step);
  if (own == nullptr || !own->health.cpu_wait || lateness_ns <= 0) return false;
  std::vector<double> others;
  for (size_t i = 0; i < ranks_.size(); ++i) {
    const RankStep* other = step_of(i, step);
    if (i != rank && other != nullptr && other->health.cpu_wait)
      others.push_back(static_cast<double>(*other->health.cpu_wait));
  }
  const std::optional<double> typical = median_of(std::move(others));
  return typical && static_cast<double>(*own->health.cpu_wait) - *typical >= kContendedShare * lateness_ns;
}

}  // namespace tauprof
