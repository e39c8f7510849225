#include "metrics/stragglers/kernel_times.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {

// Of one kernel.
struct LaunchTotals {
  double count = 0;
  double time = 0;
  double longest = 0;
  double each() const { return count > 0 ? time / count : 0; }
};

using KernelLaunches = std::map<std::string_view, LaunchTotals>;

namespace {

void add_kernels(const RankTimeline& rank, const std::vector<KernelTotal>& table, KernelLaunches& kernels) {
  for (const KernelTotal& kernel : table) {
    if (kernel.span_class != SpanClass::kCompute && kernel.span_class != SpanClass::kUnclassified) continue;
    LaunchTotals& of_it = kernels[rank.kernel_names[kernel.name]];
    of_it.count += static_cast<double>(kernel.count);
    of_it.time += static_cast<double>(kernel.total);
    of_it.longest = std::max(of_it.longest, static_cast<double>(kernel.longest));
  }
}

KernelLaunches kernels_of(const RankTimeline& rank) {
  KernelLaunches kernels;
  for (const std::vector<KernelTotal>& table : rank.kernels) add_kernels(rank, table, kernels);
  return kernels;
}

// The typical peer's launches of each kernel, and the typical time of a launch on those that make any.
KernelLaunches typical_of(const std::vector<const KernelLaunches*>& peers) {
  std::map<std::string_view, std::pair<std::vector<double>, std::vector<double>>> found;
  for (const KernelLaunches* const peer : peers)
    for (const auto& [name, launches] : *peer) {
      found[name].first.push_back(launches.count);
      found[name].second.push_back(launches.each());
    }
  KernelLaunches typical;
  for (auto& [name, of_peers] : found) {
    auto& [counts, lengths] = of_peers;
    const double each = lower_median(lengths);
    counts.resize(peers.size());
    const double count = lower_median(counts);
    typical[name] = {count, count * each};
  }
  return typical;
}

bool is_more(const KernelLaunches& own, const KernelLaunches& typical) {
  double more = 0, slower = 0;
  for (const auto& [name, launches] : own) {
    const LaunchTotals& usual = typical.at(name);
    const double longer = std::max(0.0, launches.time - usual.time);
    const double by_launches = std::min(longer, std::max(0.0, launches.count - usual.count) * launches.longest);
    more += by_launches;
    slower += longer - by_launches;
  }
  return more > slower;
}

ComputeWork work_of(const RankTimeline& rank) {
  ComputeWork sum;
  for (const RankStep& step : rank.steps) sum += step.work;
  return sum;
}

}  // namespace

struct KernelTimes::OfRun {
  std::vector<KernelLaunches> kernels;
  std::vector<ComputeWork> works;
};

void KernelTimes::compare(const OfRun& run, const std::vector<uint32_t>& ranks, const std::vector<uint32_t>& peers,
                          std::vector<BesidePeers>& result) {
  std::vector<const KernelLaunches*> kernels;
  std::vector<ComputeWork> works;
  for (const uint32_t peer : peers) {
    kernels.push_back(&run.kernels[peer]);
    works.push_back(run.works[peer]);
  }
  const KernelLaunches typical = typical_of(kernels);
  const ComputeWork usual = tauprof::lower_median(works);
  for (const uint32_t rank : ranks) {
    result[rank].launches_more = run.kernels[rank].empty() || is_more(run.kernels[rank], typical);
    // Where nothing was counted, nothing is known.
    for (const auto measure : kWorkMeasures)
      if (run.works[rank].*measure > 0 && run.works[rank].*measure <= kMoreOfRun * usual.*measure)
        result[rank].as_typical.*measure = 1;
  }
}

KernelTimes::KernelTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages)
    : beside_stage_(ranks.size()), beside_all_(ranks.size()) {
  OfRun run;
  std::map<int32_t, std::vector<uint32_t>> of_stage;
  std::vector<uint32_t> all;
  for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
    run.kernels.push_back(kernels_of(ranks[rank]));
    run.works.push_back(work_of(ranks[rank]));
    of_stage[stages.stage(rank).number].push_back(rank);
    all.push_back(rank);
  }
  if (all.empty()) return;
  compare(run, all, all, beside_all_);
  for (const auto& [stage, of_it] : of_stage) compare(run, of_it, of_it.size() > 1 ? of_it : all, beside_stage_);
}

ComputeWork KernelTimes::only_additional(uint32_t rank, Peers peers, ComputeWork work) const {
  const BesidePeers& beside = (peers == Peers::kAll ? beside_all_ : beside_stage_)[rank];
  for (const auto measure : kWorkMeasures)
    if (beside.as_typical.*measure > 0) work.*measure = 0;
  if (!beside.launches_more) work.kernels = 0;
  return work;
}

namespace {

// Of one table of each rank that has it, by rank; the kernels that several of them launch.
std::map<size_t, double> slowdowns_in(const std::vector<RankTimeline>& ranks, size_t table) {
  std::map<size_t, KernelLaunches> kernels;
  std::map<std::string_view, std::vector<double>> lengths;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (table >= ranks[rank].kernels.size()) continue;
    KernelLaunches& of_rank = kernels[rank];
    add_kernels(ranks[rank], ranks[rank].kernels[table], of_rank);
    for (const auto& [name, launches] : of_rank) lengths[name].push_back(launches.each());
  }
  std::map<std::string_view, double> typical;
  for (auto& [name, of_ranks] : lengths)
    if (of_ranks.size() > 1) typical[name] = lower_median(of_ranks);
  std::map<size_t, double> slowdowns;
  for (const auto& [rank, of_rank] : kernels) {
    std::vector<std::pair<double, double>> ratios;  // with the kernel's time
    double time = 0, passed = 0;
    for (const auto& [name, launches] : of_rank) {
      const auto usual = typical.find(name);
      if (usual == typical.end() || usual->second <= 0) continue;
      ratios.emplace_back(launches.each() / usual->second, launches.time);
      time += launches.time;
    }
    std::sort(ratios.begin(), ratios.end());
    slowdowns[rank] = 1;
    for (const auto& [ratio, of_kernel] : ratios) {
      slowdowns[rank] = std::max(1.0, ratio);
      if ((passed += of_kernel) >= kOddKernels * time) break;
    }
  }
  return slowdowns;
}

}  // namespace

std::vector<double> kernel_slowdowns(const std::vector<RankTimeline>& ranks) {
  size_t tables = 0;
  for (const RankTimeline& rank : ranks) tables = std::max(tables, rank.kernels.size());
  std::vector<std::vector<double>> by_table(ranks.size());
  for (size_t table = 0; table < tables; ++table)
    for (const auto& [rank, slowdown] : slowdowns_in(ranks, table)) by_table[rank].push_back(slowdown);
  std::vector<double> slowdowns;
  for (std::vector<double>& of_rank : by_table) slowdowns.push_back(of_rank.empty() ? 1 : lower_median(of_rank));
  return slowdowns;
}

}  // namespace tauprof
