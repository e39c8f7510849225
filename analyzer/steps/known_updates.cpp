#include "steps/known_updates.h"

#include <algorithm>
#include <set>

#include "limits/analysis_limits.h"
#include "steps/alternating_updates.h"

namespace tauprof {
namespace {

std::vector<size_t> launches_with(UpdateSign sign, const LaunchSequence& sequence) {
  std::vector<size_t> found;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    const Launch& launch = sequence.launches[i];
    const bool has_name = launch.role == UpdateRole::kUpdate || launch.role == UpdateRole::kScale;
    const bool has_sign = sign == UpdateSign::kName ? has_name : launch.role == UpdateRole::kList;
    if (has_sign && !launch.is_backward) found.push_back(i);
  }
  return found;
}

// Launches between two that have the sign.
struct Stretch {
  std::set<uint32_t> kernels;
  bool has_backward = false;
  bool has_graph = false;
};

std::vector<Update> bursts_of(const LaunchSequence& sequence, const std::vector<size_t>& launches) {
  if (launches.empty()) return {};
  std::vector<Stretch> stretches(launches.size());  // before each; none before the first
  size_t richest = 1;
  bool has_backward = false;
  for (size_t i = 1; i < launches.size(); ++i) {
    Stretch& stretch = stretches[i];
    for (size_t at = launches[i - 1] + 1; at < launches[i]; ++at) {
      const Launch& launch = sequence.launches[at];
      if (launch.kind == LaunchKind::kKernel) stretch.kernels.insert(launch.symbol);
      stretch.has_backward |= is_backward_work(launch);
      stretch.has_graph |= launch.is_graph;
    }
    richest = std::max(richest, stretch.kernels.size());
    has_backward |= stretch.has_backward;
  }
  std::vector<Update> bursts{{launches.front(), launches.front() + 1}};
  for (size_t i = 1; i < launches.size(); ++i) {
    const auto kernels = static_cast<double>(stretches[i].kernels.size());
    const bool is_rich = kernels > 0 && kernels >= kPassVocabulary * static_cast<double>(richest);
    const bool is_pass = stretches[i].has_graph || (is_rich && (stretches[i].has_backward || !has_backward));
    if (is_pass) bursts.push_back({launches[i], launches[i] + 1});
    bursts.back().end = launches[i] + 1;
  }
  return bursts;
}

}  // namespace

KnownUpdates known_updates(UpdateSign sign, const LaunchSequence& sequence) {
  KnownUpdates found{bursts_of(sequence, launches_with(sign, sequence))};
  if (!found.updates.empty()) found.joined = join_alternating_updates(sequence, found.updates);
  return found;
}

}  // namespace tauprof
