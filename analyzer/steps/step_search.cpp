#include "steps/step_search.h"

#include <algorithm>
#include <map>

#include "steps/launch_sequence.h"
#include "steps/recurrence.h"
#include "steps/step_cuts.h"
#include "steps/thresholds.h"
#include "steps/updates.h"
#include "steps/updates_by_place.h"

namespace tauprof {
namespace {

struct Candidate {
  std::vector<StepCut> cuts;
  std::string source;
  std::string reason;
  double trust = 0;
};

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : what.back() == 's' || what.back() == 'h' ? "es" : "s");
}

Candidate by_names(const LaunchSequence& sequence) {
  const UpdateSearch found = updates_by_name(sequence);
  const bool is_named = found.sign == UpdateSign::kName;
  Candidate candidate{
      cut_steps(sequence, found.anchors, true), "optimizer", {}, is_named ? kTrustInNames : kTrustInLists};
  candidate.reason = is_named ? "kernels that only an optimizer launches end each step"
                     : found.sign == UpdateSign::kLists
                         ? "kernels over lists of tensors, as optimizers launch them, end each step"
                         : "the loss scale is set at the end of each step";
  if (found.turns > 1) candidate.reason += "; " + std::to_string(found.turns) + " updates take turns in one";
  return candidate;
}

Candidate by_backward(const LaunchSequence& sequence) {
  const PlaceSearch found = updates_by_place(sequence);
  Candidate candidate{cut_steps(sequence, found.anchors, found.ends_with_update), "backward", {}, kTrustInBackward};
  candidate.reason = "no optimizer kernel has a known name; ";
  const std::string passes = std::to_string(found.passes) + " backward passes";
  if (!found.ends_with_update)
    candidate.reason += found.passes == 1 ? "each backward pass is taken for a step" : passes + " share their input";
  else
    candidate.reason += "the kernels behind " + (found.passes == 0 ? "some backward passes" : "every " + passes) +
                        " are taken for the update";
  return candidate;
}

std::vector<StepAnchor> anchors_at(const std::vector<size_t>& places) {
  std::vector<StepAnchor> anchors;
  for (const size_t place : places) anchors.push_back({place, place});
  return anchors;
}

Candidate by_collectives(const LaunchSequence& sequence) {
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
  return {cut_steps(sequence, anchors_at(places), false), "collectives",
          "no optimizer and no backward thread is known; the collectives recur", kTrustInCollectives};
}

ElementKind element_kind(const Launch& launch) {
  if (launch.kind == LaunchKind::kInputCopy) return ElementKind::kInput;
  return reads_or_waits(launch) ? ElementKind::kReadback : ElementKind::kWork;
}

std::vector<HostStep> steps_of(const LaunchSequence& sequence, const std::vector<StepCut>& cuts) {
  std::vector<HostStep> steps;
  for (const StepCut& cut : cuts) {
    const Launch& head = sequence.launches[cut.begin];
    // What the host does between the end of one step and the first launch of the next is the next one's.
    const Nanoseconds start = steps.empty() ? head.start : std::min(head.start, sequence.launches[cut.begin - 1].end);
    if (!steps.empty()) steps.back().end = start;
    HostStep step{static_cast<int64_t>(steps.size()), start, sequence.launches[cut.end - 1].end + 1};
    if (cut.extra < cut.end) step.extra_start = sequence.launches[cut.extra - 1].end;
    steps.push_back(step);
  }
  return steps;
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

Candidate by_launches(const LaunchSequence& sequence) {
  RecurrenceInput input;
  for (const Launch& launch : sequence.launches) {
    input.symbols.push_back(launch.symbol);
    input.kinds.push_back(element_kind(launch));
  }
  input.gram = kGramLaunches;
  input.least_period = kLeastPeriod;
  const std::string unknown = "no optimizer and no backward pass is known; ";
  const std::vector<size_t> places = find_recurrence(input).places;
  if (!places.empty())
    return {cut_steps(sequence, anchors_at(places), false), "launches",
            unknown + "iterations by the launches that recur", kTrustInLaunches};
  return {cut_steps(sequence, graphs_in_a_row(sequence), false), "launches",
          unknown + "each launch of a graph is taken for an iteration", kTrustInLaunches};
}

// A step that began and ended with the recording, as far as can be told from its only update.
FoundSteps single_step(const LaunchSequence& sequence) {
  const UpdateSearch search = updates_by_name(sequence);
  if (search.anchors.size() != 1) return {};
  const StepCut cut = cut_single_step(sequence, search.anchors.front());
  FoundSteps found{steps_of(sequence, {cut}), "optimizer", {}, kTrustInOneUpdate};
  found.reason = "there is one update; where its step began was not seen in any other";
  return found;
}

// How many launches of a kind each step has, if nearly all have the same number of them; else 0.
template <class Counts>
size_t agreed_count(const std::vector<StepCut>& cuts, Counts&& counts) {
  std::map<size_t, size_t> steps_with;
  for (const StepCut& cut : cuts) ++steps_with[counts(cut)];
  const auto most = std::max_element(steps_with.begin(), steps_with.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool agrees = static_cast<double>(most->second) >= kAgreeingSteps * static_cast<double>(cuts.size());
  return agrees ? most->first : 0;
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

void weigh(const LaunchSequence& sequence, const Candidate& candidate, FoundSteps& found) {
  const auto count_kind = [&](LaunchKind kind) {
    return agreed_count(candidate.cuts, [&](const StepCut& cut) {
      return std::count_if(sequence.launches.begin() + cut.begin, sequence.launches.begin() + cut.end,
                           [kind](const Launch& launch) { return launch.kind == kind; });
    });
  };
  double doubt = 1 - candidate.trust;
  std::string agreeing;
  const auto agree = [&](size_t count, const std::string& what) {
    if (count == 0) return;
    doubt *= 1 - kDoubtRemoved;
    agreeing += (agreeing.empty() ? "; each has " : ", ") + counted(count, what);
  };
  if (sequence.has_backward_thread)
    agree(agreed_count(candidate.cuts, [&](const StepCut& cut) { return backward_passes_in(sequence, cut); }),
          "backward pass");
  agree(agreed_count(candidate.cuts, [](const StepCut& cut) { return cut.update; }), "update launch");
  agree(count_kind(LaunchKind::kCollective), "collective");
  const size_t kernels = count_kind(LaunchKind::kKernel);
  agree(kernels, "kernel");
  if (kernels == 0) {  // a loop that only copies and sets memory; one launch alone would agree with itself
    const size_t launches = agreed_count(candidate.cuts, [](const StepCut& cut) { return cut.end - cut.begin; });
    agree(launches > 1 ? launches : 0, "launch");
  }
  found.confidence = 1 - doubt;
  if (agreeing.empty()) {
    found.confidence = candidate.trust / 2;
    agreeing = "; but no two kinds of launches agree with that";
  }
  found.reason = candidate.reason + agreeing;
}

}  // namespace

FoundSteps search_steps(const ProcessTrace& trace) {
  const LaunchSequence sequence = launch_sequence(trace);
  std::string doubt;
  for (const auto& search : {by_names, by_backward, by_collectives, by_launches}) {
    const Candidate candidate = search(sequence);
    if (candidate.cuts.size() < 2) continue;
    FoundSteps found;
    found.steps = steps_of(sequence, candidate.cuts);
    found.source = candidate.source;
    weigh(sequence, candidate, found);
    if (found.confidence >= kLeastConfidence) return found;
    if (doubt.empty()) doubt = "not sure enough of steps: " + found.reason;
  }
  FoundSteps found = single_step(sequence);
  if (!found.steps.empty()) return found;
  if (!doubt.empty()) {
    found.reason = doubt;
    return found;
  }
  found.reason = sequence.launches.empty() ? "nothing was launched"
                                           : "no optimizer, no backward passes and no period in " +
                                                 std::to_string(sequence.launches.size()) + " launches";
  return found;
}

}  // namespace tauprof
