// Steps of a program that does not mark them: which evidence is used, how sure it is, and why.
//
// In the order of trust: kernels that only an optimizer launches; backward passes; the period of the collectives; the
// period of all launches. The first that yields two steps or more is taken; the others are counted in the steps that it
// gives, and agree where nearly every step has the same number of them. So the confidence says how sure the source is,
// raised by what agrees: a run whose optimizer is known by name, with one backward pass and five collectives in each
// step, is as good as marked.
//
// What fools it stands in docs/phases.md.
#pragma once

#include <string>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct FoundSteps {
  std::vector<HostStep> steps;  // empty: none were found
  std::string source;           // optimizer, backward, collectives, launches
  std::string reason;           // in words
  double confidence = 0;
};

FoundSteps search_steps(const ProcessTrace& trace);

}  // namespace tauprof
