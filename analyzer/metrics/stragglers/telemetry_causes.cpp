#include "metrics/stragglers/telemetry_causes.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

TelemetryCauses::TelemetryCauses(const std::vector<RankTimeline>& ranks, const StepSelection& steps)
    : ranks_(ranks), steps_(ranks.size()), cpu_waits_(steps.analysed.size()) {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const RankStep& step : ranks[rank].steps) {
      const auto found =
          std::lower_bound(steps.analysed.begin(), steps.analysed.end(), step.number,
                           [](const StepDuration& analysed, int64_t number) { return analysed.number < number; });
      if (found != steps.analysed.end() && found->number == step.number)
        steps_[rank][static_cast<size_t>(found - steps.analysed.begin())] = &step;
    }
  gather_readings();
}

void TelemetryCauses::gather_readings() {
  for (size_t rank = 0; rank < ranks_.size(); ++rank)
    for (const auto& [step, measured] : steps_[rank]) {
      const StepHealth& health = measured->health;
      if (health.sm_clock_mhz) {
        clocks_[{step, ranks_[rank].device_name}].add(*health.sm_clock_mhz);
        computing_[{step, ranks_[rank].device_name}].add(static_cast<double>(measured->compute));
      }
      if (health.cpu_wait) cpu_waits_[step].add(static_cast<double>(*health.cpu_wait));
    }
  for (auto* const of_devices : {&clocks_, &computing_})
    for (auto& [where, readings] : *of_devices) readings.sort();
  for (Readings& readings : cpu_waits_) readings.sort();
}

void TelemetryCauses::Readings::sort() { std::sort(values_.begin(), values_.end()); }

std::optional<double> TelemetryCauses::Readings::typical_beside(double reading) const {
  if (values_.size() < 2) return std::nullopt;
  const auto at = std::lower_bound(values_.begin(), values_.end(), reading);
  const auto middle = values_.begin() + static_cast<std::ptrdiff_t>((values_.size() - 1) / 2);
  return middle < at ? *middle : *(middle + 1);
}

bool TelemetryCauses::is_throttled(size_t rank, size_t step) const {
  const RankStep* measured = step_of(rank, step);
  if (measured == nullptr || !measured->health.sm_clock_mhz) return false;
  const double clock = *measured->health.sm_clock_mhz;
  const std::pair where{step, ranks_[rank].device_name};
  const std::optional<double> typical = clocks_.at(where).typical_beside(clock);
  if (!typical || clock <= 0) return false;
  if (clock < kThrottledClock * *typical) return true;
  const auto computes = static_cast<double>(measured->compute);
  const double usual = computing_.at(where).typical_beside(computes).value_or(0);
  if (usual <= 0 || computes <= usual) return false;
  const double deficit = *typical / clock - 1;
  return deficit > kSteadySensor && explains(deficit, computes / usual - 1);
}

uint64_t TelemetryCauses::throttle_reasons(size_t rank) const {
  uint64_t bits = 0;
  for (const auto& [step, measured] : steps_[rank])
    if (is_throttled(rank, step)) bits |= measured->health.throttle_reasons;
  return bits;
}

bool TelemetryCauses::lacked_cpu(size_t rank, size_t step, double stall_ns) const {
  const RankStep* measured = step_of(rank, step);
  if (measured == nullptr || !measured->health.cpu_wait || stall_ns <= 0) return false;
  const auto waited = static_cast<double>(*measured->health.cpu_wait);
  const std::optional<double> typical = cpu_waits_[step].typical_beside(waited);
  return typical && explains(waited - *typical, stall_ns);
}

}  // namespace tauprof
