// Count and device time of one rank's kernels, copies and memsets by name. Those that start outside the steps' windows
// do not count.
#pragma once

#include <optional>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

// Fills timeline.kernels (one table for each of the first kLeadingSteps steps, then one for all others) and
// timeline.kernel_names. Leaves out steps outside `choice`.
void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline);

}  // namespace tauprof
