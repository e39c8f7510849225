#include "metrics/link_model/algorithm_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using log::Operation;
using Fits = std::vector<LinkFit*>;

bool is_candidate(const LinkFit& fit) {
  return fit.kind.operation == Operation::kAllReduce && fit.kind.algorithm == CollectiveAlgorithm::kUnknown &&
         fit.alpha_us().has_value();
}

// Ranks on each host, 0 for all on one; nullopt: not known, or not the same on all.
std::optional<int32_t> link_class(const LinkKind& kind) {
  if (kind.hosts == 1) return 0;
  if (kind.hosts == 0 || kind.ranks % kind.hosts != 0) return std::nullopt;
  return kind.ranks / kind.hosts;
}

int32_t steps_of(const LinkFit& fit, CollectiveAlgorithm algorithm) {
  return step_count(fit.kind.operation, algorithm, fit.kind.ranks);
}

bool agree_on(const Fits& fits, CollectiveAlgorithm algorithm) {
  double s = 0, ss = 0;  // of steps per latency: the α that minimises the relative errors is s / ss
  for (const LinkFit* const fit : fits) {
    const double share = steps_of(*fit, algorithm) / fit->line->latency_ns;
    s += share, ss += share * share;
  }
  return std::all_of(fits.begin(), fits.end(), [&](const LinkFit* fit) {
    const double latency = fit->line->latency_ns;
    const double most =
        std::max(kSameStepLatency * latency, kLatencyDeviations * std::sqrt(fit->line->latency_variance));
    return std::abs(latency - s / ss * steps_of(*fit, algorithm)) <= most;
  });
}

}  // namespace

using log::Operation;

int32_t step_count(Operation operation, CollectiveAlgorithm algorithm, int32_t ranks) {
  if (ranks < 2) return 0;
  if (operation == Operation::kAllToAll) return ranks - 1;
  const bool is_all_reduce = operation == Operation::kAllReduce;
  if (!is_all_reduce && operation != Operation::kAllGather && operation != Operation::kReduceScatter) return 0;
  const int32_t ways = is_all_reduce ? 2 : 1;  // there, and back
  const int32_t levels = std::bit_width(static_cast<uint32_t>(ranks - 1));
  switch (algorithm) {
    case CollectiveAlgorithm::kUnknown:
    case CollectiveAlgorithm::kRing:
      return ways * (ranks - 1);
    case CollectiveAlgorithm::kTree:
    case CollectiveAlgorithm::kPat:
      return ways * levels;
    default:
      return 1;
  }
}

void tell_ring_from_tree(std::vector<LinkFit>& fits) {
  std::map<LinkKind, size_t> pieces;
  for (const LinkFit& fit : fits) ++pieces[fit.kind];
  std::map<int32_t, Fits> of_class;
  for (LinkFit& fit : fits)
    if (const auto links = link_class(fit.kind); links && is_candidate(fit) && pieces[fit.kind] == 1)
      of_class[*links].push_back(&fit);
  for (const auto& [links, candidates] : of_class) {
    if (candidates.size() < 2) continue;
    const bool is_ring = agree_on(candidates, CollectiveAlgorithm::kRing);
    if (is_ring == agree_on(candidates, CollectiveAlgorithm::kTree)) continue;
    for (LinkFit* const fit : candidates) {
      fit->kind.algorithm = is_ring ? CollectiveAlgorithm::kRing : CollectiveAlgorithm::kTree;
      fit->is_inferred = true;
      fit->steps = steps_of(*fit, fit->kind.algorithm);
    }
  }
}

}  // namespace tauprof
