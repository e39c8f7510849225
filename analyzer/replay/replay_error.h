// How far the replay can be trusted.
//
// A replay with a step's own delays is exact, and proves nothing. So every delay of a step, such as the latency of a
// launch beyond what is usual, is replaced by the median of the same operation's delays in other steps: those of even
// steps by the median of odd ones, and the reverse. How far the lengths of the steps are off then is the error of the
// replay. The method is stated in docs/metrics.md, "Stragglers".
#pragma once

#include <optional>

#include "replay/run_graph.h"

namespace tauprof {

struct ReplayError {
  double mean = 0;   // of |replayed − measured| / measured over the steps
  double worst = 0;  // of the same
};

// None where there are fewer than two steps.
std::optional<ReplayError> replay_error(const RunGraph& run);

}  // namespace tauprof
