// Count and device time of one rank's kernels, copies and memsets by name. Those that start outside the steps' windows
// do not count.
//
// They are totalled in tables: one for each of the first kLeadingSteps steps, any of which may turn out to be warm-up,
// then one for each of at most kMostStretches stretches of the other steps, which tell how a kernel varies along the
// run. Example: of 116 steps, 16 have a table each, and the other 100 are in 32 tables of 3 or 4.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

// Fills timeline.kernels and timeline.kernel_names. Leaves out steps outside `choice`.
void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline);

// Of the launch of a graph, without records of its nodes.
inline constexpr std::string_view kGraphName = "CUDA graph";

// The name of device work in reports: its own, else its kind ("Memcpy HtoD").
std::string_view name_of_work(const DeviceSpan& span, const Names& names);

// The table of a step, by its position among the rank's `steps` steps.
size_t kernel_table_of(size_t step, size_t steps);

}  // namespace tauprof
