// Count and host time of one rank's calls by function. Calls outside the rank's steps do not count.
#pragma once

#include <optional>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

// Fills timeline.call_totals (one table for each of the first kLeadingSteps steps, then one for all others) and
// timeline.function_names. Leaves out steps outside `choice`. Of a process with several devices, a call counts for the
// device that was current.
void total_calls(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& steps,
                 const std::optional<StepRange>& choice, RankTimeline& timeline);

}  // namespace tauprof
