// The collectives of some steps in which a rank waited for others, with the rank that came last.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/replayed_run.h"
#include "pipeline/shown_steps.h"

namespace tauprof {

struct ArrivalWait {
  size_t step = 0;        // index into the steps
  uint32_t rank = 0;      // index into the run's timelines
  Nanoseconds start = 0;  // of its part, on its clock
  Nanoseconds length = 0;
  uint32_t for_rank = 0;    // index into the run's timelines
  Nanoseconds arrival = 0;  // on the clock of that rank
  bool is_at_most = false;
};

// The longest first.
std::vector<ArrivalWait> waits_in(const ReplayedRun& run, const std::vector<StepChoice>& steps);

}  // namespace tauprof
