// Turns log files into timelines, several processes at a time (each_log.h). A process's trace is freed as soon as its
// timelines are made, so memory holds only the traces being read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/progress.h"
#include "model/rank_timeline.h"
#include "model/reduced_log.h"
#include "model/step_range.h"
#include "phases/phase_rules.h"
#include "pipeline/analyze_operations.h"
#include "pipeline/log_source.h"
#include "symbols/native_symbols.h"
#include "undisturbed/retiming.h"

namespace tauprof {

struct LoadedRanks {
  std::vector<OperationLog> operations;      // logs of operation traces, which have no ranks
  std::vector<RankTimeline> ranks;           // in the order of the files, a process's devices together
  std::vector<std::string> skipped;          // files that could not be used, one line each
  std::vector<std::string> damaged;          // files that could be used in part, one line each
  std::map<UnmetWish, size_t> unmet_wishes;  // in how many logs
};

// How logs become timelines.
struct LoadChoice {
  std::optional<StepRange> steps;        // that totals of kernels and source lines are about
  bool keeps_places = false;             // operations know where they lie in their traces, and untimed ranks have some
  const Retimings* retimings = nullptr;  // events take place at these times; null: as recorded
  bool has_own_rules = false;            // the phases' rules are not the shipped ones
  bool has_paths = false;                // timelines have the paths of the program
  Progress* progress = nullptr;
};

LoadedRanks load_ranks(const std::vector<std::string>& files, const LogSource& source, const PhaseRules& rules,
                       const LoadChoice& choice);

// Reduces one log to the data that an analysis keeps, as if it were analysed alone, whatever steps are chosen later.
Status reduce_log(const std::string& file, const PhaseRules& rules, NativeSymbols& symbols, Progress* progress,
                  ReducedLog& reduced);

}  // namespace tauprof
