// The spans of one rank in some steps, from its log.
#pragma once

#include <cstddef>
#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "phases/phase_rules.h"
#include "pipeline/span_rows.h"

namespace tauprof {

// `windows`: of the steps, on the log's clock; empty where the rank does not have one. `most`: spans for each of them.
// The trace must be complete.
RankSpans spans_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const PhaseRules& rules,
                        const ClockMap& clock, const std::vector<Interval>& windows, const std::vector<size_t>& most);

}  // namespace tauprof
