// All that can be said of a rank without its peers: from its trace to its timeline.
#pragma once

#include <optional>
#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `trace` must be classified and have steps and phases. `host_time`: of each of trace.steps.
// `choice` only narrows the kernel totals; the rest is kept step by step.
RankTimeline rank_timeline(const ProcessTrace& trace, const DeviceTrace& device,
                           const std::vector<PerPhase<Nanoseconds>>& host_time, const std::optional<StepRange>& choice,
                           const PhaseRules& rules = PhaseRules::shipped());

}  // namespace tauprof
