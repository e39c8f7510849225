#include "step_search/step_search.h"

#include <algorithm>
#include <utility>

#include "step_search/most_frequent.h"
#include "step_search/recurrence.h"
#include "step_search/step_search_limits.h"
#include "step_search/updates_by_position.h"

namespace tauprof {
namespace {

StepCandidate by_names(const LaunchSequence& sequence) {
  const UpdateSearch search = updates_by_name(sequence);
  StepCandidate candidate;
  candidate.steps = find_step_bounds(sequence, search.anchors, true);
  candidate.source = StepSource::kOptimizer;
  candidate.sign = search.sign;
  candidate.updates_per_step = search.updates_per_step;
  candidate.confidence = search.sign == UpdateSign::kName ? kTrustInNames : kTrustInLists;
  return candidate;
}

StepCandidate by_backward(const LaunchSequence& sequence) {
  const PositionSearch search = updates_by_position(sequence);
  StepCandidate candidate;
  candidate.steps = find_step_bounds(sequence, search.anchors, search.ends_with_update);
  candidate.source = StepSource::kBackward;
  candidate.ends_with_update = search.ends_with_update;
  candidate.passes = search.passes;
  candidate.confidence = kTrustInBackward;
  return candidate;
}

std::vector<StepAnchor> anchors_at(const std::vector<size_t>& positions) {
  std::vector<StepAnchor> anchors;
  for (const size_t position : positions) anchors.push_back({position, position});
  return anchors;
}

ElementKind element_kind(const Launch& launch) {
  if (launch.kind == LaunchKind::kInputCopy) return ElementKind::kInput;
  return reads_or_waits(launch) ? ElementKind::kReadback : ElementKind::kWork;
}

// Launches of graphs with nearly nothing between them; a longer period would have been found.
std::vector<StepAnchor> graphs_in_a_row(const LaunchSequence& sequence) {
  std::vector<StepAnchor> graphs;
  for (size_t i = 0; i < sequence.launches.size(); ++i)
    if (sequence.launches[i].is_graph) graphs.push_back({i, i + 1});
  if (graphs.size() < kLeastRepeats) return {};
  const size_t launches = sequence.launches.size() - graphs.front().first;
  return launches <= kGramLaunches * graphs.size() ? graphs : std::vector<StepAnchor>();
}

StepCandidate by_launches(const LaunchSequence& sequence) {
  RecurrenceInput input;
  for (const Launch& launch : sequence.launches) {
    input.symbols.push_back(launch.symbol);
    input.kinds.push_back(element_kind(launch));
  }
  input.gram_length = kGramLaunches;
  input.least_period = kLeastPeriod;
  const std::vector<size_t> positions = find_recurrence(input).positions;
  StepCandidate candidate;
  candidate.is_graphs = positions.empty();
  candidate.steps =
      find_step_bounds(sequence, candidate.is_graphs ? graphs_in_a_row(sequence) : anchors_at(positions), false);
  candidate.source = StepSource::kLaunches;
  candidate.confidence = kTrustInLaunches;
  return candidate;
}

// The only update makes a step, which started and ended with the recording as far as anyone can tell.
StepCandidate single_step(const LaunchSequence& sequence) {
  const UpdateSearch search = updates_by_name(sequence);
  StepCandidate candidate;
  if (search.anchors.size() != 1) return candidate;
  candidate.steps = {bounds_of_single_step(sequence, search.anchors.front())};
  candidate.source = StepSource::kOptimizer;
  candidate.sign = search.sign;
  candidate.confidence = kTrustInOneUpdate;
  return candidate;
}

// How many launches of a kind each step has, if nearly all have the same number; else 0.
template <class Counts>
size_t agreed_count(const std::vector<StepBounds>& steps, Counts&& count) {
  std::vector<size_t> counts;
  for (const StepBounds& bounds : steps) counts.push_back(count(bounds));
  const Frequency most = most_frequent(std::move(counts));
  return static_cast<double>(most.times) >= kAgreeingSteps * static_cast<double>(steps.size()) ? most.value : 0;
}

size_t backward_passes_in(const LaunchSequence& sequence, const StepBounds& bounds) {
  size_t passes = 0;
  bool is_open = false;
  for (size_t at = bounds.start; at < bounds.end; ++at) {
    const Launch& launch = sequence.launches[at];
    if (launch.kind != LaunchKind::kKernel) continue;
    passes += launch.is_backward && !is_open;
    is_open = launch.is_backward;
  }
  return passes;
}

AgreedCounts agreed_counts(const LaunchSequence& sequence, const std::vector<StepBounds>& steps) {
  const auto count_kind = [&](LaunchKind kind) {
    return agreed_count(steps, [&](const StepBounds& bounds) {
      return static_cast<size_t>(std::count_if(sequence.launches.begin() + bounds.start,
                                               sequence.launches.begin() + bounds.end,
                                               [kind](const Launch& launch) { return launch.kind == kind; }));
    });
  };
  AgreedCounts agreed;
  if (sequence.has_backward_thread)
    agreed.backward_passes =
        agreed_count(steps, [&](const StepBounds& bounds) { return backward_passes_in(sequence, bounds); });
  agreed.update_launches = agreed_count(steps, [](const StepBounds& bounds) { return bounds.update; });
  agreed.collectives = count_kind(LaunchKind::kCollective);
  agreed.kernels = count_kind(LaunchKind::kKernel);
  if (agreed.kernels == 0) {  // a loop that only copies and sets memory; a single launch would always agree
    const size_t launches = agreed_count(steps, [](const StepBounds& bounds) { return bounds.end - bounds.start; });
    agreed.launches = launches > 1 ? launches : 0;
  }
  return agreed;
}

void weigh(const LaunchSequence& sequence, StepCandidate& candidate) {
  candidate.agreed = agreed_counts(sequence, candidate.steps);
  const AgreedCounts& agreed = candidate.agreed;
  if (!agreed.any()) {
    candidate.confidence /= 2;
    return;
  }
  double doubt = 1 - candidate.confidence;
  for (const size_t count :
       {agreed.backward_passes, agreed.update_launches, agreed.collectives, agreed.kernels, agreed.launches})
    if (count > 0) doubt *= 1 - kDoubtRemoved;
  candidate.confidence = 1 - doubt;
}

}  // namespace

const char* name_of(StepSource source) {
  switch (source) {
    case StepSource::kOptimizer:
      return "optimizer";
    case StepSource::kBackward:
      return "backward";
    default:
      return "launches";
  }
}

StepsOfSequence search_steps(const LaunchSequence& sequence) {
  StepsOfSequence steps;
  for (const auto& search : {by_names, by_backward, by_launches}) {
    StepCandidate candidate = search(sequence);
    if (candidate.steps.size() < 2) continue;
    weigh(sequence, candidate);
    if (candidate.confidence >= kLeastConfidence) {
      steps.found = std::move(candidate);
      return steps;
    }
    if (steps.rejected.steps.empty()) steps.rejected = std::move(candidate);
  }
  steps.found = single_step(sequence);
  return steps;
}

}  // namespace tauprof
