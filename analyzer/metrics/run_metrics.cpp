#include "metrics/run_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "metrics/collective_evidence.h"
#include "metrics/collective_table.h"
#include "metrics/comm_split.h"

namespace tauprof {
namespace {

RankMetrics metrics_of(const RankTimeline& rank, const StepSelection& steps) {
  RankMetrics metrics;
  metrics.rank = rank.rank;
  metrics.host = rank.host;
  metrics.hta = rank.hta;
  for (const RankStep& step : rank.steps) {
    if (!steps.has(step.number)) continue;
    ++metrics.windows;
    metrics.step_ns += step.device.length();
    metrics.overlap.add(step);
    for (const LedgerCell& cell : step.cells) metrics.ledger.add(cell.phase, cell.row, cell.length);
  }
  return metrics;
}

using Timelines = std::vector<const RankTimeline*>;

Nanoseconds host_of_phases(const RankStep& step, uint32_t phases) {
  Nanoseconds sum = 0;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if ((phases >> phase & 1u) != 0) sum += step.host_by_phase[phase];
  return sum;
}

class PhaseTable {
 public:
  PhaseTable(const Timelines& ranks, const StepSelection& steps) {
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

// Kernels of the analysed steps. What the user's choice leaves out never entered the tables; what is
// warm-up stands in tables of its own.
std::vector<KernelMetrics> kernel_table(const Timelines& ranks, const StepSelection& steps) {
  std::unordered_map<std::string, KernelMetrics> sums;
  for (const RankTimeline* rank : ranks)
    for (size_t table = 0; table < rank->kernels.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const KernelTotal& kernel : rank->kernels[table]) {
        const std::string& name = rank->kernel_names[kernel.name];
        KernelMetrics& sum = sums[name + static_cast<char>('0' + static_cast<int>(kernel.span_class))];
        sum.name = name;
        sum.span_class = kernel.span_class;
        sum.count += kernel.count;
        sum.total += kernel.total;
      }
    }
  std::vector<KernelMetrics> result;
  for (auto& [key, kernel] : sums) result.push_back(std::move(kernel));
  std::sort(result.begin(), result.end(), [](const KernelMetrics& a, const KernelMetrics& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return result;
}

Statistics step_durations(const StepSelection& steps) {
  std::vector<Nanoseconds> durations;
  for (const StepDuration& step : steps.analysed) durations.push_back(std::llround(step.mean_ns));
  return statistics_of(std::move(durations));
}

}  // namespace

RunMetrics run_metrics(std::vector<RankTimeline>& ranks, const std::optional<StepRange>& choice,
                       const std::optional<std::set<int32_t>>& chosen_ranks) {
  RunMetrics metrics;
  const std::vector<MatchedCollective> matches = match_collectives(ranks);
  metrics.agreement = agree_on_steps(ranks, matches);
  metrics.steps = select_steps(ranks, choice);
  metrics.step_duration = step_durations(metrics.steps);
  metrics.alignment = align_clocks(ranks, evidence_of(ranks, matches));
  for (const RankTimeline& rank : ranks) metrics.clocks.push_back({rank.rank, rank.clock_basis, rank.run_clock});
  metrics.progress = run_progress(ranks);
  metrics.mismatches = find_mismatches(ranks, matches);
  metrics.waits = split_waits(ranks, matches);
  Timelines chosen;
  for (RankTimeline& rank : ranks) {
    book_exposed_communication(rank);
    if (chosen_ranks && chosen_ranks->count(rank.rank) == 0) continue;
    chosen.push_back(&rank);
    metrics.ranks.push_back(metrics_of(rank, metrics.steps));
    metrics.windows += metrics.ranks.back().windows;
    metrics.ledger.add(metrics.ranks.back().ledger);
    metrics.overlap.add(metrics.ranks.back().overlap);
  }
  metrics.phases = PhaseTable(chosen, metrics.steps).rows();
  metrics.input = data_pipeline(chosen, metrics.steps);
  for (const RankTimeline* const rank : chosen)
    for (const RankStep& step : rank->steps)
      if (metrics.steps.has(step.number))
        for (size_t row = 0; row < kLedgerRowCount; ++row) metrics.inferred[row] += step.inferred[row];
  metrics.collectives = collective_table(ranks, matches, metrics.steps);
  metrics.communication = wait_table(ranks, matches, metrics.steps);
  metrics.messages = message_table(ranks, matches, metrics.steps);
  metrics.stragglers = find_stragglers(ranks, matches, metrics.steps);
  metrics.kernels = kernel_table(chosen, metrics.steps);
  metrics.places = place_table(chosen, metrics.steps);
  for (const KernelMetrics& kernel : metrics.kernels) metrics.kernel_total += kernel.total;
  return metrics;
}

}  // namespace tauprof
