#include "metrics/run/step_series.h"

#include <algorithm>

namespace tauprof {
namespace {

constexpr size_t kPhaseRows = kPhaseCount + 2;  // backward_step and total

// Sums over the ranks that have a step.
struct StepSums {
  double host_ranks = 0;
  double device_ranks = 0;
  double host = 0;
  double device = 0;
  std::array<double, kLedgerRowCount> rows{};
  PerPhase<double> phases{};
  std::array<double, kPhaseRows> host_of_phase{};
  std::array<double, kPhaseRows> device_of_phase{};
};

void add_host(const RankStep& step, StepSums& sums) {
  ++sums.host_ranks;
  sums.host += static_cast<double>(step.host.length());
  for (size_t phase = 0; phase < kPhaseCount; ++phase) {
    const auto time = static_cast<double>(step.host_by_phase[phase]);
    sums.host_of_phase[phase] += time;
    if (is_in(static_cast<Phase>(phase), kBackwardStep)) sums.host_of_phase[kPhaseCount] += time;
    sums.host_of_phase[kPhaseCount + 1] += time;
  }
}

void add_device(const RankStep& step, StepSums& sums) {
  ++sums.device_ranks;
  sums.device += static_cast<double>(step.device->length());
  for (const LedgerCell& cell : step.cells) {
    sums.rows[static_cast<size_t>(cell.row)] += static_cast<double>(cell.length);
    sums.phases[static_cast<size_t>(cell.phase)] += static_cast<double>(cell.length);
  }
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    sums.device_of_phase[phase] += static_cast<double>(step.device_by_phase[phase]);
  sums.device_of_phase[kPhaseCount] += static_cast<double>(step.device_backward_step);
  sums.device_of_phase[kPhaseCount + 1] += static_cast<double>(step.device_total);
}

std::vector<StepSums> sums_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::vector<StepSums> sums(steps.analysed.size());
  for (const RankTimeline* rank : ranks)
    for (const RankStep& step : rank->steps) {
      const auto found =
          std::lower_bound(steps.analysed.begin(), steps.analysed.end(), step.number,
                           [](const StepDuration& analysed, int64_t number) { return analysed.number < number; });
      if (found == steps.analysed.end() || found->number != step.number) continue;
      StepSums& total = sums[static_cast<size_t>(found - steps.analysed.begin())];
      add_host(step, total);
      if (step.device) add_device(step, total);
    }
  return sums;
}

void append_host(const StepSums& total, StepSeries& series) {
  if (total.host_ranks == 0) return;
  series.host_ns.push_back(total.host / total.host_ranks);
  for (size_t row = 0; row < kPhaseRows; ++row)
    series.phases[row].host_ns.push_back(total.host_of_phase[row] / total.host_ranks);
}

void append_device(const StepSums& total, StepSeries& series) {
  if (total.device_ranks == 0) return;
  series.device_ns.push_back(total.device / total.device_ranks);
  for (size_t row = 0; row < kLedgerRowCount; ++row) series.row_ns[row].push_back(total.rows[row] / total.device_ranks);
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    series.phase_ns[phase].push_back(total.phases[phase] / total.device_ranks);
  for (size_t row = 0; row < kPhaseRows; ++row)
    series.phases[row].device_ns.push_back(total.device_of_phase[row] / total.device_ranks);
}

}  // namespace

StepSeries step_series(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  StepSeries series;
  for (const std::string_view name : kPhaseNames) series.phases.push_back({name});
  series.phases.push_back({"backward_step", true});
  series.phases.push_back({"total", true});
  for (const StepSums& total : sums_of(ranks, steps)) {
    append_host(total, series);
    append_device(total, series);
  }
  return series;
}

}  // namespace tauprof
