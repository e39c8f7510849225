#include "metrics/stragglers/kernel_times.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

struct Launches {
  double count = 0;
  double time = 0;
  double each() const { return count > 0 ? time / count : 0; }
};

using Kernels = std::map<std::string_view, Launches>;

Kernels kernels_of(const RankTimeline& rank) {
  Kernels kernels;
  for (const std::vector<KernelTotal>& table : rank.kernels)
    for (const KernelTotal& kernel : table) {
      if (kernel.span_class != SpanClass::kCompute && kernel.span_class != SpanClass::kUnclassified) continue;
      Launches& of_it = kernels[rank.kernel_names[kernel.name]];
      of_it.count += static_cast<double>(kernel.count);
      of_it.time += static_cast<double>(kernel.total);
    }
  return kernels;
}

// What the typical peer launches of each kernel, and how long a launch typically takes those that make any.
Kernels typical_of(const std::vector<const Kernels*>& peers) {
  std::map<std::string_view, std::pair<std::vector<double>, std::vector<double>>> found;
  for (const Kernels* const peer : peers)
    for (const auto& [name, launches] : *peer) {
      found[name].first.push_back(launches.count);
      found[name].second.push_back(launches.each());
    }
  Kernels typical;
  for (auto& [name, of_peers] : found) {
    auto& [counts, lengths] = of_peers;
    const double each = lower_median(lengths);
    counts.resize(peers.size());
    const double count = lower_median(counts);
    typical[name] = {count, count * each};
  }
  return typical;
}

bool is_more(const Kernels& own, const Kernels& typical) {
  double more = 0, slower = 0;
  for (const auto& [name, launches] : own) {
    const Launches& usual = typical.at(name);
    more += std::max(0.0, launches.count - usual.count) * (usual.count > 0 ? usual.each() : launches.each());
    slower += std::min(launches.count, usual.count) * std::max(0.0, launches.each() - usual.each());
  }
  return more > slower;
}

ComputeWork work_of(const RankTimeline& rank) {
  ComputeWork sum;
  for (const RankStep& step : rank.steps) sum += step.work;
  return sum;
}

}  // namespace

KernelTimes::KernelTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages) {
  std::vector<Kernels> kernels;
  std::vector<ComputeWork> works;
  std::map<int32_t, std::vector<uint32_t>> of_stage;
  std::vector<uint32_t> all;
  for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
    kernels.push_back(kernels_of(ranks[rank]));
    works.push_back(work_of(ranks[rank]));
    of_stage[stages.stage(rank).number].push_back(rank);
    all.push_back(rank);
  }
  launches_more_.resize(ranks.size());
  as_typical_.resize(ranks.size());
  for (const auto& [stage, ranks_of_stage] : of_stage) {
    const std::vector<uint32_t>& peers = ranks_of_stage.size() > 1 ? ranks_of_stage : all;
    std::vector<const Kernels*> kernels_of_peers;
    std::vector<ComputeWork> works_of_peers;
    for (const uint32_t peer : peers) {
      kernels_of_peers.push_back(&kernels[peer]);
      works_of_peers.push_back(works[peer]);
    }
    const Kernels typical = typical_of(kernels_of_peers);
    const ComputeWork usual = tauprof::lower_median(works_of_peers);
    for (const uint32_t rank : ranks_of_stage) {
      launches_more_[rank] = kernels[rank].empty() || is_more(kernels[rank], typical);
      // Where nothing was counted, nothing is known.
      for (const auto measure : kWorkMeasures)
        if (works[rank].*measure > 0 && works[rank].*measure <= kMoreOfRun * usual.*measure) as_typical_[rank].*measure = 1;
    }
  }
}

ComputeWork KernelTimes::only_additional(uint32_t rank, ComputeWork work) const {
  for (const auto measure : kWorkMeasures)
    if (as_typical_[rank].*measure > 0) work.*measure = 0;
  if (!launches_more_[rank]) work.kernels = 0;
  return work;
}

}  // namespace tauprof
