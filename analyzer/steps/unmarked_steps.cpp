#include "steps/unmarked_steps.h"

#include <algorithm>

#include "step_search/step_search.h"

namespace tauprof {
namespace {

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

std::string reason_for_none(const LaunchSequence& sequence, const std::string& rejected) {
  if (!rejected.empty()) return "not sure enough of steps: " + rejected;
  if (sequence.launches.empty()) return "nothing was launched";
  return "no optimizer, no backward passes and no period in " + std::to_string(sequence.launches.size()) + " launches";
}

}  // namespace

FoundSteps find_unmarked_steps(const LaunchSequence& sequence) {
  StepsOfSequence search = search_steps(sequence);
  if (search.steps.empty()) return {.reason = reason_for_none(sequence, search.reason)};
  return {steps_of(sequence, search.steps), std::move(search.source), std::move(search.reason), search.confidence};
}

}  // namespace tauprof
