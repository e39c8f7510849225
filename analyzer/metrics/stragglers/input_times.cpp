#include "metrics/stragglers/input_times.h"

#include <map>
#include <tuple>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {

InputTimes::InputTimes(const std::vector<RankTimeline>& ranks, const PipelineStages& stages) : longer_(ranks.size()) {
  using Alike = std::tuple<int32_t, int32_t, int64_t>;  // stage, stages, step
  const auto alike = [&](uint32_t rank, int64_t step) {
    const StageOfRank place = stages.place(rank);
    return Alike{place.number, place.stages, step};
  };
  std::map<Alike, std::vector<double>> of_peers;
  std::map<Alike, double> typical;  // of those that are not alone
  std::vector<double> usual(ranks.size(), 0);
  for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
    std::vector<double> of_steps;
    for (const RankStep& step : ranks[rank].steps) {
      if (!step.device) continue;
      of_steps.push_back(static_cast<double>(step.input_copies.total));
      of_peers[alike(rank, step.number)].push_back(of_steps.back());
    }
    if (!of_steps.empty()) usual[rank] = lower_median(of_steps);
  }
  for (auto& [where, peers] : of_peers)
    if (peers.size() > 1) typical[where] = lower_median(peers);
  for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    for (const RankStep& step : ranks[rank].steps) {
      if (!step.device) continue;
      const auto expected = typical.find(alike(rank, step.number));
      longer_[rank][step.number] =
          static_cast<double>(step.input_copies.total) - (expected == typical.end() ? usual[rank] : expected->second);
    }
}

bool InputTimes::explain(uint32_t rank, std::pair<int64_t, int64_t> steps, double excess_ns) const {
  double longer = 0;
  const auto& of_rank = longer_[rank];
  for (auto step = of_rank.lower_bound(steps.first); step != of_rank.end() && step->first <= steps.second; ++step)
    longer += step->second;
  return longer > 0 && explains(longer, excess_ns);
}

}  // namespace tauprof
