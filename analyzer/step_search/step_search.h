// Steps of a program that does not mark them, found in its sequence of launches; by which evidence, and how surely.
//
// The sources in the order of trust: kernels that only an optimizer launches; backward passes; the period of all
// launches. Where a source yields two steps or more, the other kinds of launches are
// counted in those steps; a kind agrees if nearly every step has the same number of it. The confidence is that of the
// source, raised by every kind that agrees, or halved if none does. So a run whose optimizer is known by name, with one
// backward pass and five collectives in each step, is as good as marked.
//
// The first source with a confidence of at least kLeastConfidence (step_search_limits.h) wins. If there is none, a
// sequence with exactly one update, known by its kernels' names, is a single step.
//
// docs/what-fools-inference.md lists the programs that mislead it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/step_bounds.h"
#include "step_search/updates.h"

namespace tauprof {

enum class StepSource : uint8_t { kNone, kOptimizer, kBackward, kLaunches };

// Its name in reports and logs.
const char* name_of(StepSource source);

// How many of each kind nearly every step has; 0: the steps differ, or have none.
struct AgreedCounts {
  size_t backward_passes = 0;
  size_t update_launches = 0;
  size_t collectives = 0;
  size_t kernels = 0;
  size_t launches = 0;  // of any kind; only counted where there are no kernels
  bool any() const { return backward_passes + update_launches + collectives + kernels + launches > 0; }
};

struct StepCandidate {
  std::vector<StepBounds> steps;
  StepSource source = StepSource::kNone;
  UpdateSign sign = UpdateSign::kNone;  // kOptimizer: how updates are recognised
  size_t updates_per_step = 1;          // kOptimizer: alternating updates that make one step
  bool ends_with_update = false;        // kBackward: the kernels after some passes are taken for the update …
  size_t passes = 1;                    // … every this many passes; 0: the number varies. Or: passes in a step
  bool is_graphs = false;               // kLaunches: each launch of a graph is a step
  AgreedCounts agreed;
  double confidence = 0;
};

struct StepsOfSequence {
  StepCandidate found;     // without steps: nothing is sure enough
  StepCandidate rejected;  // then: the most trusted candidate; without steps: there was none
  // The sequence has one update, which made a step. Where that step starts cannot be compared with any other.
  bool is_single() const { return found.steps.size() == 1; }
};

StepsOfSequence search_steps(const LaunchSequence& sequence);

}  // namespace tauprof
