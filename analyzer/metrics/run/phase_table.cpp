#include "metrics/run/phase_table.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace tauprof {
namespace {

Nanoseconds sum_of(const PerPhase<Nanoseconds>& times, uint32_t phases) {
  Nanoseconds sum = 0;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if ((phases >> phase & 1u) != 0) sum += times[phase];
  return sum;
}

// A time of each step, in statistics over steps and over ranks. A rank counts with the steps for which the time is
// known.
class Times {
 public:
  void add_rank() { rank_starts_.push_back(times_.size()); }
  void add(Nanoseconds time) { times_.push_back(time); }

  Statistics of_steps() const { return statistics_of(times_); }

  Statistics of_ranks() const {
    std::vector<Nanoseconds> means;
    for (size_t rank = 0; rank < rank_starts_.size(); ++rank) {
      const auto begin = times_.begin() + static_cast<std::ptrdiff_t>(rank_starts_[rank]);
      const auto end = rank + 1 < rank_starts_.size()
                           ? times_.begin() + static_cast<std::ptrdiff_t>(rank_starts_[rank + 1])
                           : times_.end();
      if (begin != end)
        means.push_back(std::llround(std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin)));
    }
    return statistics_of(std::move(means));
  }

  std::optional<double> share_of(Nanoseconds total) const {
    if (total <= 0) return std::nullopt;
    return static_cast<double>(std::accumulate(times_.begin(), times_.end(), Nanoseconds{0})) /
           static_cast<double>(total);
  }

 private:
  std::vector<Nanoseconds> times_;  // rank by rank
  std::vector<size_t> rank_starts_;
};

class PhaseTable {
 public:
  PhaseTable(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
    for (const RankTimeline* rank : ranks) {
      steps_.emplace_back();
      for (const RankStep& step : rank->steps) {
        if (!steps.has(step.number)) continue;
        steps_.back().push_back(&step);
        host_total_ += step.host.length();
        if (step.device) device_total_ += step.device->length();
      }
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
    Times host, issuing, blocked, device;
    for (const auto& of_rank : steps_) {
      host.add_rank();
      device.add_rank();
      for (const RankStep* const step : of_rank) {
        const Nanoseconds spent = sum_of(step->host_by_phase, phases), waited = sum_of(step->host_blocked, phases);
        host.add(spent);
        if (!step->device) continue;
        issuing.add(spent - waited);
        blocked.add(waited);
        device.add(device_time(*step));
      }
    }
    PhaseMetrics metrics;
    metrics.name = name;
    metrics.host = host.of_steps();
    metrics.issuing = issuing.of_steps();
    metrics.blocked = blocked.of_steps();
    metrics.device = device.of_steps();
    metrics.host_of_ranks = host.of_ranks();
    metrics.device_of_ranks = device.of_ranks();
    metrics.host_share = host.share_of(host_total_);
    metrics.device_share = device.share_of(device_total_);
    return metrics;
  }

  std::vector<std::vector<const RankStep*>> steps_;  // by rank
  Nanoseconds host_total_ = 0;
  Nanoseconds device_total_ = 0;
};

}  // namespace

std::vector<PhaseMetrics> phase_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  return PhaseTable(ranks, steps).rows();
}

}  // namespace tauprof
