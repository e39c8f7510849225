#include "metrics/run/phase_table.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace tauprof {
namespace {

Nanoseconds host_of_phases(const RankStep& step, uint32_t phases) {
  Nanoseconds sum = 0;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if ((phases >> phase & 1u) != 0) sum += step.host_by_phase[phase];
  return sum;
}

class PhaseTable {
 public:
  PhaseTable(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
    for (const RankTimeline* rank : ranks) {
      for (const RankStep& step : rank->steps)
        if (steps.has(step.number)) steps_.push_back(&step);
      if (rank_ends_.empty() || rank_ends_.back() < steps_.size()) rank_ends_.push_back(steps_.size());
    }
    for (const RankStep* step : steps_) {
      host_total_ += step->host.length();
      device_total_ += step->device.length();
    }
  }

  std::vector<PhaseMetrics> rows() const {
    constexpr uint32_t kAll = (1u << kPhaseCount) - 1;
    std::vector<PhaseMetrics> result;
    for (size_t phase = 0; phase < kPhaseCount; ++phase)
      result.push_back(
          row(kPhaseNames[phase], 1u << phase, [phase](const RankStep& step) { return step.device_by_phase[phase]; }));
    result.push_back(
        row("backward_step", kBackwardStep, [](const RankStep& step) { return step.device_backward_step; }));
    result.push_back(row("total", kAll, [](const RankStep& step) { return step.device_total; }));
    for (size_t i = kPhaseCount; i < result.size(); ++i) result[i].is_derived = true;
    return result;
  }

 private:
  template <class DeviceTime>
  PhaseMetrics row(std::string_view name, uint32_t phases, DeviceTime&& device_time) const {
    std::vector<Nanoseconds> host, device;
    Nanoseconds host_sum = 0, device_sum = 0;
    for (const RankStep* step : steps_) {
      host.push_back(host_of_phases(*step, phases));
      device.push_back(device_time(*step));
      host_sum += host.back();
      device_sum += device.back();
    }
    PhaseMetrics metrics;
    metrics.name = name;
    metrics.host_of_ranks = statistics_of(means_by_rank(host));
    metrics.device_of_ranks = statistics_of(means_by_rank(device));
    metrics.host = statistics_of(std::move(host));
    metrics.device = statistics_of(std::move(device));
    if (host_total_ > 0) metrics.host_share = static_cast<double>(host_sum) / static_cast<double>(host_total_);
    if (device_total_ > 0) metrics.device_share = static_cast<double>(device_sum) / static_cast<double>(device_total_);
    return metrics;
  }

  std::vector<Nanoseconds> means_by_rank(const std::vector<Nanoseconds>& of_steps) const {
    std::vector<Nanoseconds> means;
    size_t begin = 0;
    for (const size_t end : rank_ends_) {
      const double sum = std::accumulate(of_steps.begin() + begin, of_steps.begin() + end, 0.0);
      means.push_back(std::llround(sum / static_cast<double>(end - begin)));
      begin = end;
    }
    return means;
  }

  std::vector<const RankStep*> steps_;  // rank by rank
  std::vector<size_t> rank_ends_;       // in steps_, of the ranks that have any
  Nanoseconds host_total_ = 0;
  Nanoseconds device_total_ = 0;
};

}  // namespace

std::vector<PhaseMetrics> phase_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  return PhaseTable(ranks, steps).rows();
}

}  // namespace tauprof
