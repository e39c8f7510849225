#include "step_search/step_search.h"

#include <algorithm>
#include <utility>

#include "step_search/most_frequent.h"
#include "step_search/recurrence.h"
#include "step_search/thresholds.h"
#include "step_search/updates_by_place.h"

namespace tauprof {
namespace {

StepCandidate by_names(const LaunchSequence& sequence) {
  const UpdateSearch search = updates_by_name(sequence);
  StepCandidate candidate;
  candidate.cuts = cut_steps(sequence, search.anchors, true);
  candidate.source = StepSource::kOptimizer;
  candidate.sign = search.sign;
  candidate.turns = search.turns;
  candidate.confidence = search.sign == UpdateSign::kName ? kTrustInNames : kTrustInLists;
  return candidate;
}

StepCandidate by_backward(const LaunchSequence& sequence) {
  const PlaceSearch search = updates_by_place(sequence);
  StepCandidate candidate;
  candidate.cuts = cut_steps(sequence, search.anchors, search.ends_with_update);
  candidate.source = StepSource::kBackward;
  candidate.ends_with_update = search.ends_with_update;
  candidate.passes = search.passes;
  candidate.confidence = kTrustInBackward;
  return candidate;
}

std::vector<StepAnchor> anchors_at(const std::vector<size_t>& places) {
  std::vector<StepAnchor> anchors;
  for (const size_t place : places) anchors.push_back({place, place});
  return anchors;
}

StepCandidate by_collectives(const LaunchSequence& sequence) {
  RecurrenceInput input;
  std::vector<size_t> where;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    if (sequence.launches[i].kind != LaunchKind::kCollective) continue;
    where.push_back(i);
    input.symbols.push_back(sequence.launches[i].symbol);
  }
  input.kinds.assign(input.symbols.size(), ElementKind::kWork);
  input.gram = kGramLaunches;
  input.least_period = kLeastPeriod;
  std::vector<size_t> places;
  for (const size_t place : find_recurrence(input).places) places.push_back(where[place]);
  StepCandidate candidate;
  candidate.cuts = cut_steps(sequence, anchors_at(places), false);
  candidate.source = StepSource::kCollectives;
  candidate.confidence = kTrustInCollectives;
  return candidate;
}

ElementKind element_kind(const Launch& launch) {
  if (launch.kind == LaunchKind::kInputCopy) return ElementKind::kInput;
  return reads_or_waits(launch) ? ElementKind::kReadback : ElementKind::kWork;
}

// Launches of graphs with nearly nothing between them: a longer period would have been found.
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
  input.gram = kGramLaunches;
  input.least_period = kLeastPeriod;
  const std::vector<size_t> places = find_recurrence(input).places;
  StepCandidate candidate;
  candidate.is_graphs = places.empty();
  candidate.cuts = cut_steps(sequence, candidate.is_graphs ? graphs_in_a_row(sequence) : anchors_at(places), false);
  candidate.source = StepSource::kLaunches;
  candidate.confidence = kTrustInLaunches;
  return candidate;
}

// A step that began and ended with the recording, as far as can be told from its only update.
StepCandidate single_step(const LaunchSequence& sequence) {
  const UpdateSearch search = updates_by_name(sequence);
  StepCandidate candidate;
  if (search.anchors.size() != 1) return candidate;
  candidate.cuts = {cut_single_step(sequence, search.anchors.front())};
  candidate.source = StepSource::kOptimizer;
  candidate.sign = search.sign;
  candidate.confidence = kTrustInOneUpdate;
  return candidate;
}

// How many launches of a kind each step has, if nearly all have the same number of them; else 0.
template <class Counts>
size_t agreed_count(const std::vector<StepCut>& cuts, Counts&& count) {
  std::vector<size_t> counts;
  for (const StepCut& cut : cuts) counts.push_back(count(cut));
  const Frequency most = most_frequent(std::move(counts));
  return static_cast<double>(most.times) >= kAgreeingSteps * static_cast<double>(cuts.size()) ? most.value : 0;
}

size_t backward_passes_in(const LaunchSequence& sequence, const StepCut& cut) {
  size_t passes = 0;
  bool is_open = false;
  for (size_t at = cut.begin; at < cut.end; ++at) {
    const Launch& launch = sequence.launches[at];
    if (launch.kind != LaunchKind::kKernel) continue;
    passes += launch.is_backward && !is_open;
    is_open = launch.is_backward;
  }
  return passes;
}

AgreedCounts agreed_counts(const LaunchSequence& sequence, const std::vector<StepCut>& cuts) {
  const auto count_kind = [&](LaunchKind kind) {
    return agreed_count(cuts, [&](const StepCut& cut) {
      return static_cast<size_t>(std::count_if(sequence.launches.begin() + cut.begin,
                                               sequence.launches.begin() + cut.end,
                                               [kind](const Launch& launch) { return launch.kind == kind; }));
    });
  };
  AgreedCounts agreed;
  if (sequence.has_backward_thread)
    agreed.backward_passes = agreed_count(cuts, [&](const StepCut& cut) { return backward_passes_in(sequence, cut); });
  agreed.update_launches = agreed_count(cuts, [](const StepCut& cut) { return cut.update; });
  agreed.collectives = count_kind(LaunchKind::kCollective);
  agreed.kernels = count_kind(LaunchKind::kKernel);
  if (agreed.kernels == 0) {  // a loop that only copies and sets memory; one launch alone would agree with itself
    const size_t launches = agreed_count(cuts, [](const StepCut& cut) { return cut.end - cut.begin; });
    agreed.launches = launches > 1 ? launches : 0;
  }
  return agreed;
}

void weigh(const LaunchSequence& sequence, StepCandidate& candidate) {
  candidate.agreed = agreed_counts(sequence, candidate.cuts);
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
    case StepSource::kCollectives:
      return "collectives";
    default:
      return "launches";
  }
}

StepsOfSequence search_steps(const LaunchSequence& sequence) {
  StepsOfSequence steps;
  for (const auto& search : {by_names, by_backward, by_collectives, by_launches}) {
    StepCandidate candidate = search(sequence);
    if (candidate.cuts.size() < 2) continue;
    weigh(sequence, candidate);
    if (candidate.confidence >= kLeastConfidence) {
      steps.found = std::move(candidate);
      return steps;
    }
    if (steps.doubted.cuts.empty()) steps.doubted = std::move(candidate);
  }
  steps.found = single_step(sequence);
  return steps;
}

}  // namespace tauprof
