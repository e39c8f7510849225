// Where the next step begins in the launches between two anchors, before evaluations are thought of.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/updates.h"

namespace tauprof {

// Launches in which a step may begin: after an anchor and before the backward pass (or the anchor) that follows.
struct Section {
  size_t begin = 0;
  size_t end = 0;
};

// One for each anchor, in front of it, and one for what follows the last.
std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors);

// Past what reads back, waits and clears behind an update.
std::vector<size_t> heads_after_updates(const LaunchSequence& sequence, const std::vector<Section>& sections);
// At the first input copy, else at the launch before which the host pauses longest.
std::vector<size_t> heads_after_passes(const LaunchSequence& sequence, const std::vector<Section>& sections);

}  // namespace tauprof
