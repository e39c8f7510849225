#include "step_search/step_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "step_search/most_frequent.h"
#include "step_search/recurrence.h"
#include "step_search/step_anchors.h"
#include "step_search/step_search_limits.h"

namespace tauprof {
namespace {

// How steps are known, in the order of trust.
struct Source {
  const char* name;
  std::optional<AnchorSign> sign;  // nullopt: what recurs
  double trust;
  bool ends_with_update;
  const char* evidence;
};

constexpr Source kSources[] = {
    {"optimizer", AnchorSign::kName, kTrustInNames, true, "kernels that only an optimizer launches end each step"},
    {"optimizer", AnchorSign::kLists, kTrustInLists, true,
     "kernels over lists of tensors, as optimizers launch them, end each step"},
    {"backward", AnchorSign::kPlace, kTrustInBackward, true,
     "no optimizer kernel has a known name; kernels that only follow backward passes are taken for the update"},
    {"backward", AnchorSign::kPass, kTrustInBackward, false,
     "no optimizer kernel has a known name; each backward pass is taken for a step"},
    {"launches", std::nullopt, kTrustInLaunches, false,
     "no optimizer and no backward pass is known; iterations by the launches that recur"}};

// Launches of graphs with nearly nothing between them; a longer period would have been found.
std::vector<StepAnchor> graphs_in_a_row(const LaunchSequence& sequence) {
  std::vector<StepAnchor> graphs;
  for (size_t i = 0; i < sequence.launches.size(); ++i)
    if (sequence.launches[i].is_graph) graphs.push_back({i, i + 1});
  if (graphs.size() < kLeastRepeats) return {};
  const size_t launches = sequence.launches.size() - graphs.front().first;
  return launches <= kGramLaunches * graphs.size() ? graphs : std::vector<StepAnchor>();
}

std::vector<StepAnchor> what_recurs(const LaunchSequence& sequence) {
  std::vector<StepAnchor> anchors;
  for (const size_t position : find_recurrence(sequence).positions) anchors.push_back({position, position});
  return anchors.empty() ? graphs_in_a_row(sequence) : anchors;
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

// What the steps have in common, in words; raises the confidence by each kind of launches that agrees.
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
    // A loop that only copies and sets memory has no kernels. A single launch would always agree.
    if (!add("kernel", "s", of_kind(LaunchKind::kKernel)))
      add(
          "launch", "es", [](const StepBounds& bounds) { return bounds.end - bounds.start; }, 2);
  }

  double confidence() const { return words_.empty() ? (1 - doubt_) / 2 : 1 - doubt_; }
  std::string in_words() const { return words_.empty() ? "; but no two kinds of launches agree with that" : words_; }

 private:
  // Whether nearly all steps have the same number of them.
  template <class Counts>
  bool add(const std::string& what, const char* plural, Counts&& count, size_t least = 1) {
    std::vector<size_t> counts;
    for (const StepBounds& bounds : steps_) counts.push_back(count(bounds));
    const Frequency most = most_frequent(std::move(counts));
    const double enough = kAgreeingSteps * static_cast<double>(steps_.size());
    if (most.value < least || static_cast<double>(most.times) < enough) return false;
    words_ += (words_.empty() ? "; each has " : ", ") + std::to_string(most.value) + " " + what;
    if (most.value != 1) words_ += plural;
    doubt_ *= 1 - kDoubtRemoved;
    return true;
  }

  const std::vector<StepBounds>& steps_;
  double doubt_;
  std::string words_;
};

StepsOfSequence steps_by(const Source& source, const LaunchSequence& sequence) {
  const StepAnchors found = source.sign ? anchors_by(*source.sign, sequence) : StepAnchors{what_recurs(sequence), 1};
  StepsOfSequence result{find_step_bounds(sequence, found.anchors, source.ends_with_update), source.name};
  if (result.steps.size() < 2) return {};
  const Agreement agreement(sequence, result.steps, source.trust);
  result.confidence = agreement.confidence();
  result.reason = source.evidence;
  if (found.updates_per_step > 1)
    result.reason += "; " + std::to_string(found.updates_per_step) + " updates take turns in one";
  result.reason += agreement.in_words();
  return result;
}

// The only update makes a step, which started and ended with the recording as far as anyone can tell.
StepsOfSequence single_step(const LaunchSequence& sequence) {
  for (const AnchorSign sign : {AnchorSign::kName, AnchorSign::kLists}) {
    const std::vector<StepAnchor> updates = anchors_by(sign, sequence).anchors;
    if (updates.size() == 1)
      return {{bounds_of_single_step(sequence, updates.front())},
              "optimizer",
              "there is one update; where its step began was not seen in any other",
              kTrustInOneUpdate};
  }
  return {};
}

}  // namespace

StepsOfSequence search_steps(const LaunchSequence& sequence) {
  StepsOfSequence rejected;
  for (const Source& source : kSources) {
    StepsOfSequence found = steps_by(source, sequence);
    if (found.confidence >= kLeastConfidence) return found;
    if (rejected.reason.empty()) rejected.reason = found.reason;
  }
  StepsOfSequence single = single_step(sequence);
  return single.steps.empty() ? rejected : single;
}

}  // namespace tauprof
