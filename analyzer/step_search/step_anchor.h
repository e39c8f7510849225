// The launches by which a step is known: usually its update (step_anchors.h finds them).
#pragma once

#include <cstddef>

namespace tauprof {

// Positions in the sequence. The step starts between the `end` of the anchor before and this one's `first`.
struct StepAnchor {
  size_t first = 0;
  size_t end = 0;
};

}  // namespace tauprof
