// Where the host pauses before it launches more: this tells a step start where no kind of launch does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_search/sections.h"

namespace tauprof {

// How long the host was away before this launch, in ns. Waiting for the device counts as being away.
int64_t pause_before(const std::vector<Launch>& launches, size_t at);
// The sum without the longest fifth: a host that others share is sometimes away for longer than a program ever waits.
double usual_total(std::vector<int64_t>& pauses);

// The launch by which a step start is recognised: its symbol, and how many equal launches precede it in its section.
struct OpeningLaunch {
  uint32_t symbol = UINT32_MAX;  // no launch has this one: there is no opening launch
  uint32_t equal_before = 0;
};

// The section's end if the section lacks it.
size_t position_of(const LaunchSequence& sequence, const Section& section, const OpeningLaunch& opening);
// Of the launches that occur in at least this share of the sections (the first and last do not count), the one with the
// longest pauses before it; or none.
OpeningLaunch opening_after_pause(const LaunchSequence& sequence, const std::vector<Section>& sections, double share);

}  // namespace tauprof
