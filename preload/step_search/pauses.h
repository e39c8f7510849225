// Where the host pauses before it goes on launching: what tells a step's begin where no launch does by its kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/step_heads.h"

namespace tauprof {

// How long the host was away before it launched this, in ns; a wait for the device counts as being away.
int64_t pause_before(const std::vector<Launch>& launches, size_t at);
// The sum of all but the longest: a host that others use, too, is sometimes away for longer than a program ever waits.
double usual_total(std::vector<int64_t>& pauses);

// A launch as it is met in every step: so many equal ones come before it in its section.
struct Cue {
  uint32_t symbol = UINT32_MAX;  // that no launch has: there is none
  uint32_t before = 0;
};

// The section's end: it has none.
size_t place_of(const LaunchSequence& sequence, const Section& section, const Cue& cue);
// What is launched in this share of the sections, but for the first and the last, and waited for longest; or none.
Cue cue_after_pause(const LaunchSequence& sequence, const std::vector<Section>& sections, double share);

}  // namespace tauprof
