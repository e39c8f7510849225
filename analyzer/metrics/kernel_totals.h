// Count and device time of kernels, copies and memsets by name, of those that start in the steps'
// windows.
#pragma once

#include <optional>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/device_windows.h"

namespace tauprof {

// Fills timeline.kernels, one table per step for the first kLeadingSteps, then one for all others,
// and timeline.kernel_names. Steps outside `choice` are left out.
void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline);

}  // namespace tauprof
