#include "step_search/step_anchors.h"

#include <algorithm>
#include <set>

#include "step_search/alternating_updates.h"
#include "step_search/step_search_limits.h"

namespace tauprof {
namespace {

// For each symbol: whether it is a kernel that the main thread launches between a backward pass and the next input
// copy, and nowhere else.
std::vector<bool> between_pass_and_input(const LaunchSequence& sequence) {
  std::vector<bool> fits(sequence.symbols, sequence.has_backward_thread);
  std::vector<uint32_t> behind;  // launched since the last backward pass
  bool is_behind = false;
  for (const Launch& launch : sequence.launches) {
    if (is_backward_work(launch)) {
      for (const uint32_t symbol : behind) fits[symbol] = false;
      is_behind = true;
    }
    if (launch.kind == LaunchKind::kInputCopy) is_behind = false;
    if (is_backward_work(launch) || !is_behind) behind.clear();
    const bool may_fit = is_behind && !launch.is_backward && launch.kind == LaunchKind::kKernel;
    if (may_fit)
      behind.push_back(launch.symbol);
    else
      fits[launch.symbol] = false;
  }
  return fits;
}

std::vector<size_t> launches_with(AnchorSign sign, const LaunchSequence& sequence) {
  std::vector<bool> fits;
  if (sign == AnchorSign::kPlace) fits = between_pass_and_input(sequence);
  std::vector<size_t> found;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    const Launch& launch = sequence.launches[i];
    const bool is_update = launch.role == UpdateRole::kUpdate || launch.role == UpdateRole::kScale;
    const bool has_sign = sign == AnchorSign::kName    ? is_update && !launch.is_backward
                          : sign == AnchorSign::kLists ? launch.role == UpdateRole::kList && !launch.is_backward
                          : sign == AnchorSign::kPlace ? fits[launch.symbol]
                                                       : is_backward_work(launch);
    if (has_sign) found.push_back(i);
  }
  return found;
}

// Launches between two that have the sign.
struct Stretch {
  std::set<uint32_t> kernels;
  bool has_backward = false;
  bool has_graph = false;
};

std::vector<StepAnchor> bursts_of(const LaunchSequence& sequence, const std::vector<size_t>& launches) {
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
  std::vector<StepAnchor> bursts{{launches.front(), launches.front() + 1}};
  for (size_t i = 1; i < launches.size(); ++i) {
    const auto kernels = static_cast<double>(stretches[i].kernels.size());
    const bool is_rich = kernels > 0 && kernels >= kPassVocabulary * static_cast<double>(richest);
    const bool is_pass = stretches[i].has_graph || (is_rich && (stretches[i].has_backward || !has_backward));
    if (is_pass) bursts.push_back({launches[i], launches[i] + 1});
    bursts.back().end = launches[i] + 1;
  }
  return bursts;
}

void add_captured_steps(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors) {
  std::vector<StepAnchor> graphs;
  for (size_t i = anchors.back().end; i < sequence.launches.size(); ++i)
    if (sequence.launches[i].is_graph) graphs.push_back({i, i + 1});
  if (graphs.size() > anchors.size()) anchors.insert(anchors.end(), graphs.begin(), graphs.end());
}

}  // namespace

StepAnchors anchors_by(AnchorSign sign, const LaunchSequence& sequence) {
  StepAnchors found{bursts_of(sequence, launches_with(sign, sequence))};
  if (sign == AnchorSign::kPlace)
    std::erase_if(found.anchors, [](const StepAnchor& one) { return one.end - one.first < kUpdateLaunches; });
  if (found.anchors.empty()) return found;
  add_captured_steps(sequence, found.anchors);
  found.updates_per_step = join_alternating_updates(sequence, found.anchors);
  return found;
}

}  // namespace tauprof
