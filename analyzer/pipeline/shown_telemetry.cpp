#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/stragglers/throttle_reasons.h"
#include "pipeline/timeline_parts.h"

namespace tauprof {
namespace {

bool has_readings(const ShownTelemetry::Rank& rank) {
  const auto is_known = [](const auto& reading) { return reading.has_value(); };
  return std::any_of(rank.sm_clock_mhz.begin(), rank.sm_clock_mhz.end(), is_known) ||
         std::any_of(rank.cpu_wait.begin(), rank.cpu_wait.end(), is_known);
}

}  // namespace

ShownTelemetry shown_telemetry(const ReplayedRun& run, const Report& report, const std::vector<uint32_t>& ranks) {
  ShownTelemetry telemetry;
  std::map<int64_t, size_t> position;
  const std::vector<StepDuration>& steps = report.metrics.steps.selection.analysed;
  if (ranks.empty() || steps.size() > kMostShownCells / ranks.size()) return telemetry;
  for (const StepDuration& step : steps) {
    position[step.number] = telemetry.steps.size();
    telemetry.steps.push_back(step.number);
  }
  for (const uint32_t index : ranks) {
    ShownTelemetry::Rank rank;
    rank.rank = run.ranks[index].rank;
    rank.sm_clock_mhz.resize(steps.size());
    rank.cpu_wait.resize(steps.size());
    std::map<std::string, uint64_t> reasons;
    for (const RankStep& step : run.ranks[index].steps) {
      const auto found = position.find(step.number);
      if (found == position.end()) continue;
      rank.sm_clock_mhz[found->second] = step.health.sm_clock_mhz;
      rank.cpu_wait[found->second] = step.health.cpu_wait;
      for (const std::string_view reason : throttle_reason_names(step.health.throttle_reasons))
        ++reasons[std::string(reason)];
    }
    for (const auto& [reason, count] : reasons) telemetry.throttling.push_back({rank.rank, reason, count});
    if (has_readings(rank)) telemetry.ranks.push_back(std::move(rank));
  }
  return telemetry;
}

}  // namespace tauprof
