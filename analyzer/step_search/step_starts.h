// Where the next step starts in each section, ignoring evaluations (step_bounds.h deals with those).
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/sections.h"

namespace tauprof {

// After the launches that read back, wait and clear after an update.
std::vector<size_t> starts_after_updates(const LaunchSequence& sequence, const std::vector<Section>& sections);
// At the first input copy, else at the launch before which the host pauses longest.
std::vector<size_t> starts_after_passes(const LaunchSequence& sequence, const std::vector<Section>& sections);

}  // namespace tauprof
