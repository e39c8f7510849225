// Turns log files into timelines, several processes at a time. A process's trace is freed as soon as its timelines are
// made, so memory holds only the traces being read. Their number is bounded by the processors and by the files' sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "phases/phase_rules.h"
#include "pipeline/analyze_operations.h"

namespace tauprof {

// Bytes that an analysis may take: half of the machine's memory.
uint64_t memory_budget();

struct LoadedRanks {
  std::vector<OperationLog> operations;  // logs of operation traces, which have no ranks
  std::vector<RankTimeline> ranks;       // in the order of the files, a process's devices together
  std::vector<std::string> skipped;      // files that could not be used, one line each
  std::vector<std::string> damaged;      // files that could be used in part, one line each
};

// `progress(done, total)` is called under a lock. It may be empty.
LoadedRanks load_ranks(const std::vector<std::string>& files, const std::optional<StepRange>& steps,
                       const PhaseRules& rules, const std::function<void(size_t, size_t)>& progress);

}  // namespace tauprof
