// Calls of all ranks by function, over the analysed steps.
#pragma once

#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct CallMetrics {
  std::string function;
  CallClass call_class = CallClass::kOther;
  uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds shortest = 0;
  Nanoseconds longest = 0;
};

// The longest in all first.
std::vector<CallMetrics> call_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
