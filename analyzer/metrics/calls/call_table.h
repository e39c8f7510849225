// Calls by function over the analysed steps: of one rank, and of all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

// Calls of all ranks by function, over the analysed steps.

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

// Count and host time of one rank's calls by function. Calls outside the rank's steps do not count.
// Fills timeline.call_totals (one table for each of the first kLeadingSteps steps, then one for all others) and
// timeline.function_names. Leaves out steps outside `choice`. Of a process with several devices, a call counts for the
// device that was current.
void total_calls(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& steps,
                 const std::optional<StepRange>& choice, RankTimeline& timeline);

}  // namespace tauprof
