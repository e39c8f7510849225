// Everything that can be said about a rank without its peers: turns its trace into its timeline.
#pragma once

#include <optional>
#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "phases/host_times.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `trace` must be classified and have steps and phases. `host_time` has an entry for each of trace.steps. `choice`
// narrows only the totals of kernels, source lines and paths; everything else is kept step by step. `has_paths`: paths
// are asked for.
RankTimeline timeline_of_rank(const ProcessTrace& trace, const DeviceTrace& device,
                              const std::vector<HostTimes>& host_time, const std::optional<StepRange>& choice,
                              const PhaseRules& rules = PhaseRules::shipped(), bool has_paths = false);

}  // namespace tauprof
