// The launches in which a step may start: after one anchor and before the backward pass (or the anchor) that follows.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"
#include "step_search/step_anchor.h"

namespace tauprof {

struct Section {
  size_t start = 0;  // launches [start, end)
  size_t end = 0;
};

// One before each anchor, and one after the last.
std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors);

}  // namespace tauprof
