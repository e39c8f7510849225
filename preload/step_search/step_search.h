// Steps of a program that does not mark them, in its sequence of launches: which evidence is used, and how sure it is.
//
// In the order of trust: kernels that only an optimizer launches; backward passes; the period of the collectives; the
// period of all launches. The first that yields two steps or more is taken; the others are counted in the steps that it
// gives, and agree where nearly every step has the same number of them. So the confidence says how sure the source is,
// raised by what agrees: a run whose optimizer is known by name, with one backward pass and five collectives in each
// step, is as good as marked.
//
// What fools it stands in docs/phases.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/step_cuts.h"
#include "step_search/updates.h"

namespace tauprof {

enum class StepSource : uint8_t { kNone, kOptimizer, kBackward, kCollectives, kLaunches };

// As reports and logs call it.
const char* name_of(StepSource source);

// How many of a kind nearly every step has; 0: they differ, or there are none.
struct AgreedCounts {
  size_t backward_passes = 0;
  size_t update_launches = 0;
  size_t collectives = 0;
  size_t kernels = 0;
  size_t launches = 0;  // of any kind; only counted where there are no kernels
  bool any() const { return backward_passes + update_launches + collectives + kernels + launches > 0; }
};

struct StepCandidate {
  std::vector<StepCut> cuts;
  StepSource source = StepSource::kNone;
  UpdateSign sign = UpdateSign::kNone;  // kOptimizer: by what updates are known
  size_t turns = 1;                     // kOptimizer: updates that make a step together
  bool ends_with_update = false;        // kBackward: the kernels behind some passes are taken for the update …
  size_t passes = 1;                    // … behind every so many; 0: not always as many. Or: passes in a step
  bool is_graphs = false;               // kLaunches: each launch of a graph
  AgreedCounts agreed;
  double confidence = 0;
};

struct StepsOfSequence {
  StepCandidate found;    // without cuts: nothing is sure enough
  StepCandidate doubted;  // then, what came first in the order of trust; without cuts: there was nothing
  // The only update made a step, whose begin was not seen in any other.
  bool is_single() const { return found.cuts.size() == 1; }
};

StepsOfSequence search_steps(const LaunchSequence& sequence);

}  // namespace tauprof
