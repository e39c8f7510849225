#include "step_search/updates_by_position.h"

#include <algorithm>

#include "step_search/alternating_updates.h"
#include "step_search/step_search_limits.h"
#include "step_search/symbol_set.h"
#include "step_search/updates.h"

namespace tauprof {
namespace {

bool is_main_kernel(const Launch& launch) { return launch.kind == LaunchKind::kKernel && !launch.is_backward; }

// A backward pass: launches of the backward threads without a kernel or input copy of another thread between them.
std::vector<StepAnchor> backward_passes(const LaunchSequence& sequence) {
  std::vector<StepAnchor> passes;
  bool is_open = false;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    const Launch& launch = sequence.launches[i];
    if (is_backward_work(launch)) {
      if (!is_open) passes.push_back({i, i + 1});
      passes.back().end = i + 1;
      is_open = true;
    } else if (!launch.is_backward && (launch.kind == LaunchKind::kKernel || launch.kind == LaunchKind::kInputCopy)) {
      is_open = false;
    }
  }
  return passes;
}

// What follows a backward pass, up to the next one.
struct FollowUp {
  bool has_input = false;
  StepAnchor update;    // kernels of the main thread before the first input copy
  size_t launches = 0;  // of the update
  SymbolSet kernels;    // of everything that follows, different ones
};

std::vector<FollowUp> follow_ups_of(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes) {
  std::vector<FollowUp> follow_ups(passes.size());
  for (size_t i = 0; i < passes.size(); ++i) {
    FollowUp& follow_up = follow_ups[i];
    const size_t end = i + 1 < passes.size() ? passes[i + 1].first : sequence.launches.size();
    size_t clipped = passes[i].end;
    for (size_t at = passes[i].end; at < end; ++at)
      if (sequence.launches[at].role == UpdateRole::kClipping) clipped = at;
    for (size_t at = passes[i].end; at < end; ++at) {
      const Launch& launch = sequence.launches[at];
      follow_up.has_input |=
          launch.kind == LaunchKind::kInputCopy && at > clipped;  // clipping copies numbers of its own
      if (!is_main_kernel(launch)) continue;
      follow_up.kernels.add(launch.symbol);
      if (follow_up.has_input) continue;
      if (follow_up.launches++ == 0) follow_up.update.first = at;
      follow_up.update.end = at + 1;
    }
    follow_up.kernels.finish();
  }
  return follow_ups;
}

// The number of passes between neighbouring positions, if nearly always the same; else 0.
size_t even_distance(const std::vector<size_t>& positions) {
  const size_t distance = positions[1] - positions[0];
  size_t even = 0;
  for (size_t i = 1; i < positions.size(); ++i) even += positions[i] - positions[i - 1] == distance;
  return static_cast<double>(even) >= kAlternationShare * static_cast<double>(positions.size() - 1) ? distance : 0;
}

// Updates after some of the passes. The others are followed by an input copy right away.
PositionSearch updates_before_input(const std::vector<FollowUp>& follow_ups) {
  std::vector<size_t> counts;
  for (const FollowUp& follow_up : follow_ups)
    if (follow_up.has_input && follow_up.launches >= kUpdateLaunches) counts.push_back(follow_up.launches);
  if (counts.empty()) return {};
  std::nth_element(counts.begin(), counts.begin() + counts.size() / 2, counts.end());
  const double enough = kPassVocabulary * static_cast<double>(counts[counts.size() / 2]);
  std::vector<size_t> positions;
  PositionSearch search;
  for (size_t i = 0; i < follow_ups.size(); ++i) {
    if (follow_ups[i].launches < kUpdateLaunches || static_cast<double>(follow_ups[i].launches) < enough) continue;
    positions.push_back(i);
    search.anchors.push_back(follow_ups[i].update);
  }
  const bool is_after_all =
      static_cast<double>(positions.size()) >= kUsualShare * static_cast<double>(follow_ups.size());
  if (positions.size() < 2 || is_after_all) return {};
  search.ends_with_update = true;
  search.passes = even_distance(positions);
  return search;
}

// Updates before the input copies, where most passes share their input with others: kernels that do not follow those
// other passes.
PositionSearch updates_of_shared_input(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes,
                                       const std::vector<FollowUp>& follow_ups) {
  SymbolSet common;
  for (size_t i = 0; i + 1 < follow_ups.size(); ++i)
    if (!follow_ups[i].has_input)
      for (const uint32_t symbol : follow_ups[i].kernels) common.add(symbol);
  common.finish();
  PositionSearch search;
  std::vector<size_t> positions;
  size_t inputs = 0;
  for (size_t i = 0; i < follow_ups.size(); ++i) {
    StepAnchor update{0, 0};
    size_t launches = 0;
    for (size_t at = passes[i].end; at < follow_ups[i].update.end; ++at) {
      if (!is_main_kernel(sequence.launches[at]) || common.has(sequence.launches[at].symbol)) continue;
      if (launches++ == 0) update.first = at;
      update.end = at + 1;
    }
    inputs += follow_ups[i].has_input;
    const bool is_last = i + 1 == follow_ups.size();
    if (launches < kUpdateLaunches || !(follow_ups[i].has_input || is_last)) continue;
    search.anchors.push_back(update);
    positions.push_back(i);
  }
  if (positions.size() < 2 || static_cast<double>(positions.size()) < kUsualShare * static_cast<double>(inputs))
    return {};
  search.ends_with_update = true;
  search.passes = even_distance(positions);
  return search;
}

}  // namespace

PositionSearch updates_by_position(const LaunchSequence& sequence) {
  if (!sequence.has_backward_thread) return {};
  const std::vector<StepAnchor> passes = backward_passes(sequence);
  if (passes.size() < 2) return {};
  const std::vector<FollowUp> follow_ups = follow_ups_of(sequence, passes);
  const auto with_input = std::count_if(follow_ups.begin(), follow_ups.end() - 1,
                                        [](const FollowUp& follow_up) { return follow_up.has_input; });
  const bool is_after_all = static_cast<double>(with_input) >= kUsualShare * static_cast<double>(follow_ups.size() - 1);
  PositionSearch search = is_after_all     ? updates_before_input(follow_ups)
                          : with_input > 0 ? updates_of_shared_input(sequence, passes, follow_ups)
                                           : PositionSearch();
  if (!search.anchors.empty()) return search;
  search = {passes, false, 1};
  add_captured_steps(sequence, search.anchors);
  search.passes = join_alternating_updates(sequence, search.anchors);
  return search;
}

}  // namespace tauprof
