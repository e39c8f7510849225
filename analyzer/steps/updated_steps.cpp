#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"
#include "steps/known_updates.h"
#include "steps/most_frequent.h"
#include "steps/step_bounds.h"
#include "steps/step_sources.h"

namespace tauprof {
namespace {

constexpr const char* kSource = "optimizer";

// In the order of trust.
struct Evidence {
  UpdateSign sign;
  double trust;
  const char* words;
};

constexpr Evidence kEvidence[] = {
    {UpdateSign::kName, kTrustInNames,
     "an optimizer's range, or kernels that only an optimizer launches, end each step"},
    {UpdateSign::kLists, kTrustInLists, "kernels over lists of tensors, as optimizers launch them, end each step"}};

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

// Describes what the steps have in common; each kind of launches that agrees raises the confidence.
class Agreement {
 public:
  Agreement(const LaunchSequence& sequence, const std::vector<StepBounds>& steps, double trust)
      : steps_(steps), doubt_(1 - trust) {
    const auto of_kind = [&](LaunchKind kind) {
      return [&sequence, kind](const StepBounds& bounds) {
        const auto first = sequence.launches.begin();
        return static_cast<size_t>(std::count_if(first + bounds.start, first + bounds.end,
                                                 [kind](const Launch& launch) { return launch.kind == kind; }));
      };
    };
    add("backward pass", "es", [&](const StepBounds& bounds) { return backward_passes_in(sequence, bounds); });
    add("update launch", "es", [](const StepBounds& bounds) { return bounds.update; });
    add("collective", "s", of_kind(LaunchKind::kCollective));
    add("kernel", "s", of_kind(LaunchKind::kKernel));
  }

  double confidence() const { return words_.empty() ? (1 - doubt_) / 2 : 1 - doubt_; }
  std::string in_words() const { return words_.empty() ? "; but no two kinds of launches agree with that" : words_; }

 private:
  // Whether nearly all steps have the same number of them.
  template <class Counts>
  void add(const std::string& what, const char* plural, Counts&& count) {
    std::vector<size_t> counts;
    for (const StepBounds& bounds : steps_) counts.push_back(count(bounds));
    const Frequency most = most_frequent(std::move(counts));
    const double enough = kAgreeingSteps * static_cast<double>(steps_.size());
    if (most.value == 0 || static_cast<double>(most.times) < enough) return;
    words_ += (words_.empty() ? "; each has " : ", ") + std::to_string(most.value) + " " + what;
    if (most.value != 1) words_ += plural;
    doubt_ *= 1 - kDoubtRemoved;
  }

  const std::vector<StepBounds>& steps_;
  double doubt_;
  std::string words_;
};

std::vector<HostStep> host_steps(const LaunchSequence& sequence, const std::vector<StepBounds>& found) {
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

FoundSteps steps_by(const Evidence& evidence, const LaunchSequence& sequence) {
  const KnownUpdates found = known_updates(evidence.sign, sequence);
  const std::vector<StepBounds> bounds = find_step_bounds(sequence, found.updates);
  if (bounds.size() < 2) return {};
  const Agreement agreement(sequence, bounds, evidence.trust);
  std::string reason = evidence.words;
  if (found.joined > 1) reason += "; " + std::to_string(found.joined) + " updates take turns in one";
  return {host_steps(sequence, bounds), kSource, reason + agreement.in_words(), agreement.confidence()};
}

// The only update makes a step, which started and ended with the recording as far as anyone can tell.
FoundSteps single_step(const LaunchSequence& sequence) {
  for (const Evidence& evidence : kEvidence) {
    const std::vector<Update> updates = known_updates(evidence.sign, sequence).updates;
    if (updates.size() == 1)
      return {host_steps(sequence, {bounds_of_single_step(sequence, updates.front())}), kSource,
              "there is one update; where its step began was not seen in any other", kTrustInOneUpdate};
  }
  return {};
}

}  // namespace

FoundSteps find_updated_steps(const LaunchSequence& sequence) {
  for (const Evidence& evidence : kEvidence)
    if (FoundSteps found = steps_by(evidence, sequence); !found.steps.empty()) return found;
  FoundSteps single = single_step(sequence);
  if (!single.steps.empty()) return single;
  return {.reason = sequence.launches.empty() ? "nothing was launched"
                                              : "nothing marks steps, and no update of a model is known by name"};
}

}  // namespace tauprof
