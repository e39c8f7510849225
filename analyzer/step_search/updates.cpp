#include "step_search/updates.h"

#include <algorithm>

#include "step_search/alternating_updates.h"
#include "step_search/step_search_limits.h"
#include "step_search/symbol_set.h"

namespace tauprof {
namespace {

// Launches between two update kernels.
struct Stretch {
  size_t kernels = 0;  // different ones
  bool has_backward = false;
  bool has_graph = false;
};

Stretch stretch_between(const LaunchSequence& sequence, size_t start, size_t end, SymbolCounter& counter) {
  Stretch stretch;
  counter.clear();
  for (size_t i = start; i < end; ++i) {
    const Launch& launch = sequence.launches[i];
    if (launch.kind == LaunchKind::kKernel) stretch.kernels += counter.add(launch.symbol);
    stretch.has_backward |= is_backward_work(launch);
    stretch.has_graph |= launch.is_graph;
  }
  return stretch;
}

bool has_role(const LaunchSequence& sequence, UpdateRole role) {
  return std::any_of(sequence.launches.begin(), sequence.launches.end(),
                     [role](const Launch& launch) { return launch.role == role && !launch.is_backward; });
}

std::vector<size_t> update_kernels(const LaunchSequence& sequence, UpdateRole sign) {
  std::vector<size_t> updates;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    const Launch& launch = sequence.launches[i];
    const bool is_sign = launch.role == sign && !launch.is_backward;
    if (is_sign || launch.role == UpdateRole::kScale) updates.push_back(i);
  }
  return updates;
}

std::vector<StepAnchor> bursts_of(const LaunchSequence& sequence, const std::vector<size_t>& updates) {
  if (updates.empty()) return {};
  SymbolCounter counter(sequence.symbols);
  std::vector<Stretch> stretches;
  size_t richest = 1;
  bool has_backward = false;
  for (size_t i = 1; i < updates.size(); ++i) {
    stretches.push_back(stretch_between(sequence, updates[i - 1] + 1, updates[i], counter));
    richest = std::max(richest, stretches.back().kernels);
    has_backward |= stretches.back().has_backward;
  }
  std::vector<StepAnchor> bursts{{updates.front(), updates.front() + 1}};
  for (size_t i = 1; i < updates.size(); ++i) {
    const Stretch& stretch = stretches[i - 1];
    const bool is_rich = static_cast<double>(stretch.kernels) >= kPassVocabulary * static_cast<double>(richest);
    const bool is_pass = stretch.has_graph || (is_rich && (stretch.has_backward || !has_backward));
    if (stretch.kernels > 0 && is_pass) bursts.push_back({updates[i], updates[i] + 1});
    bursts.back().end = updates[i] + 1;
  }
  return bursts;
}

}  // namespace

void add_captured_steps(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors) {
  std::vector<StepAnchor> graphs;
  for (size_t i = anchors.back().end; i < sequence.launches.size(); ++i)
    if (sequence.launches[i].is_graph) graphs.push_back({i, i + 1});
  if (graphs.size() > anchors.size()) anchors.insert(anchors.end(), graphs.begin(), graphs.end());
}

UpdateSearch updates_by_name(const LaunchSequence& sequence) {
  UpdateSearch search;
  UpdateRole role = UpdateRole::kScale;
  for (const auto& [sign, of] :
       {std::pair(UpdateSign::kName, UpdateRole::kUpdate), std::pair(UpdateSign::kLists, UpdateRole::kList),
        std::pair(UpdateSign::kScale, UpdateRole::kScale)})
    if (search.sign == UpdateSign::kNone && has_role(sequence, of)) search.sign = sign, role = of;
  if (search.sign == UpdateSign::kNone) return search;
  search.anchors = bursts_of(sequence, update_kernels(sequence, role));
  add_captured_steps(sequence, search.anchors);
  search.updates_per_step = join_alternating_updates(sequence, search.anchors);
  return search;
}

}  // namespace tauprof
