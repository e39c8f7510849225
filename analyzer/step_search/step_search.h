// Steps of a program that does not mark them, found in its sequence of launches; by which evidence, and how surely.
//
// Each step has an anchor (step_anchors.h): its update or a backward pass; else launches that recur evenly
// (recurrence.h). The signs of anchors are tried in the order of trust. Where one yields two steps or more, the kinds
// of launches are counted in those steps; a kind agrees if nearly every step has the same number of it. The confidence
// is that of the sign, raised by every kind that agrees, or halved if none does. So a run whose optimizer is known by
// name, with one backward pass and five collectives in each step, is as good as marked.
//
// The first sign with a confidence of at least kLeastConfidence (step_search_limits.h) wins. If there is none, a
// sequence with exactly one update, known by its kernels' names, is a single step.
//
// docs/what-fools-inference.md lists the programs that mislead it.
#pragma once

#include <string>
#include <vector>

#include "step_search/step_bounds.h"

namespace tauprof {

struct StepsOfSequence {
  std::vector<StepBounds> steps;  // empty: nothing is sure enough
  std::string source;             // optimizer, backward, launches
  std::string reason;             // the evidence in words, also where it is not sure enough; empty: there was none
  double confidence = 0;
};

StepsOfSequence search_steps(const LaunchSequence& sequence);

}  // namespace tauprof
