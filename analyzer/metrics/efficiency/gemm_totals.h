// The matrix multiplications of one rank: operations per step and precision, count and device time by shape, and the
// kernels that multiply matrices of unknown size.
//
// The products of a graph count where its launch starts. They are in no row of a shape: a graph's time is not theirs
// alone.
//
// A product counts once, in the step in whose device window its first kernel starts, however many kernels it has. Its
// time is that of all of them.
#pragma once

#include <optional>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

// The product that a span computes; null: none whose operations are known.
const GemmWork* counted_gemm(const ProcessTrace& trace, const DeviceSpan& span);

// The contents of the graph whose launch, or part of whose nodes, this span is; null: no graph, or it multiplies
// nothing.
const GraphContents* multiplying_graph(const ProcessTrace& trace, const DeviceSpan& span);

// Fills the timeline's tables of products and of uncounted kernels (leaving out steps outside `choice`), and the
// operations of each of its steps.
void total_gemms(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                 const std::optional<StepRange>& choice, RankTimeline& timeline);

}  // namespace tauprof
