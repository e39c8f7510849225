#include "steps/unmarked_steps.h"

#include <algorithm>

#include "step_search/step_search.h"

namespace tauprof {
namespace {

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : what.back() == 's' || what.back() == 'h' ? "es" : "s");
}

std::string updates_in_words(const StepCandidate& candidate) {
  std::string words = candidate.sign == UpdateSign::kName ? "kernels that only an optimizer launches end each step"
                      : candidate.sign == UpdateSign::kLists
                          ? "kernels over lists of tensors, as optimizers launch them, end each step"
                          : "the loss scale is set at the end of each step";
  if (candidate.updates_per_step > 1)
    words += "; " + std::to_string(candidate.updates_per_step) + " updates take turns in one";
  return words;
}

std::string passes_in_words(const StepCandidate& candidate) {
  const std::string unknown = "no optimizer kernel has a known name; ";
  const std::string passes = std::to_string(candidate.passes) + " backward passes";
  if (candidate.ends_with_update)
    return unknown + "the kernels behind " + (candidate.passes == 0 ? "some backward passes" : "every " + passes) +
           " are taken for the update";
  return unknown + (candidate.passes == 1 ? "each backward pass is taken for a step" : passes + " share their input");
}

std::string evidence_in_words(const StepCandidate& candidate) {
  switch (candidate.source) {
    case StepSource::kOptimizer:
      return updates_in_words(candidate);
    case StepSource::kBackward:
      return passes_in_words(candidate);
    default:
      return std::string("no optimizer and no backward pass is known; ") +
             (candidate.is_graphs ? "each launch of a graph is taken for an iteration"
                                  : "iterations by the launches that recur");
  }
}

std::string agreement_in_words(const AgreedCounts& agreed) {
  if (!agreed.any()) return "; but no two kinds of launches agree with that";
  std::string words;
  const auto add = [&](size_t count, const char* what) {
    if (count > 0) words += (words.empty() ? "; each has " : ", ") + counted(count, what);
  };
  add(agreed.backward_passes, "backward pass");
  add(agreed.update_launches, "update launch");
  add(agreed.collectives, "collective");
  add(agreed.kernels, "kernel");
  add(agreed.launches, "launch");
  return words;
}

std::string in_words(const StepCandidate& candidate) {
  return evidence_in_words(candidate) + agreement_in_words(candidate.agreed);
}

std::vector<HostStep> steps_of(const LaunchSequence& sequence, const std::vector<StepBounds>& found) {
  std::vector<HostStep> steps;
  for (const StepBounds& bounds : found) {
    const Launch& first = sequence.launches[bounds.start];
    // The host's time between the end of one step and the first launch of the next belongs to the next.
    const Nanoseconds start =
        steps.empty() ? first.start : std::min(first.start, sequence.launches[bounds.start - 1].end);
    if (!steps.empty()) steps.back().end = start;
    HostStep step{static_cast<int64_t>(steps.size()), start, sequence.launches[bounds.end - 1].end + 1};
    if (bounds.extra < bounds.end) step.extra_start = sequence.launches[bounds.extra - 1].end;
    steps.push_back(step);
  }
  return steps;
}

std::string reason_for_none(const LaunchSequence& sequence, const StepCandidate& rejected) {
  if (!rejected.steps.empty()) return "not sure enough of steps: " + in_words(rejected);
  if (sequence.launches.empty()) return "nothing was launched";
  return "no optimizer, no backward passes and no period in " + std::to_string(sequence.launches.size()) + " launches";
}

}  // namespace

FoundSteps find_unmarked_steps(const LaunchSequence& sequence) {
  const StepsOfSequence search = search_steps(sequence);
  if (search.found.steps.empty()) return {.reason = reason_for_none(sequence, search.rejected)};
  FoundSteps found;
  found.steps = steps_of(sequence, search.found.steps);
  found.source = name_of(search.found.source);
  found.confidence = search.found.confidence;
  found.reason = search.is_single() ? "there is one update; where its step began was not seen in any other"
                                    : in_words(search.found);
  return found;
}

}  // namespace tauprof
