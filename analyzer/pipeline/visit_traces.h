// Reads the logs of an analysed run again, for what must see every event. One process is in memory at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "model/status.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `rank`: index into the timelines. The trace is complete: it has classes, steps and phases, by its own step numbers.
using TraceVisitor = std::function<Status(size_t rank, const ProcessTrace&, const DeviceTrace&)>;

// `ranks`: as load_run left them. Visits each of them once, a process's devices together. Stops at the first failure:
// the visitor's, or of a log that is no longer what was analysed.
Status visit_traces(const std::vector<RankTimeline>& ranks, const PhaseRules& rules, const TraceVisitor& visit,
                    const std::function<void(size_t done, size_t total)>& progress);

}  // namespace tauprof
