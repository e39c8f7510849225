// The numbers of a whole run, computed from its ranks' timelines. Findings read them and reports print them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "align/align_clocks.h"
#include "metrics/call_tree/call_tree.h"
#include "metrics/call_tree/times_by_name.h"
#include "metrics/calls/call_table.h"
#include "metrics/collectives/collective_mismatch.h"
#include "metrics/collectives/collective_table.h"
#include "metrics/collectives/collective_waits.h"
#include "metrics/collectives/message_table.h"
#include "metrics/collectives/parallelism.h"
#include "metrics/collectives/step_agreement.h"
#include "metrics/collectives/wait_totals.h"
#include "metrics/efficiency/efficiency.h"
#include "metrics/hangs/job_progress.h"
#include "metrics/input/data_pipeline.h"
#include "metrics/input/step_tokens.h"
#include "metrics/kernels/kernel_table.h"
#include "metrics/ledger/overlap.h"
#include "metrics/link_model/link_model.h"
#include "metrics/memory/memory_table.h"
#include "metrics/places/costliest_place.h"
#include "metrics/run/phase_table.h"
#include "metrics/run/row_places.h"
#include "metrics/run/sharding_balance.h"
#include "metrics/run/step_changes.h"
#include "metrics/run/step_series.h"
#include "metrics/source_lines/source_line_table.h"
#include "metrics/statistics/statistics.h"
#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/stragglers.h"
#include "metrics/telemetry/telemetry_table.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct RankMetrics {
  int32_t rank = -1;
  std::vector<int32_t> devices;
  std::string host;
  std::string untimed_because;  // as in RankTimeline; if not empty, all that follows is unknown
  size_t windows = 0;           // analysed steps that it has, with device windows
  Nanoseconds step_ns = 0;      // their total
  Ledger ledger;
  Overlap overlap;
  HtaBreakdown hta;
};

// How a rank's clock relates to the first rank's.
struct RankClock {
  int32_t rank = -1;
  ClockBasis basis = ClockBasis::kShared;
  ClockMap map;
};

// The steps, and how they were chosen. Counts are of the chosen ranks.
struct RunSteps {
  StepAgreement agreement;
  StepSelection selection;
  Statistics step_duration;  // of the analysed steps' device windows, each the mean over its ranks
  Statistics host_duration;  // the same of their host windows
  StepSeries series;
  StepChanges step_changes;
  std::optional<StepTokens> step_tokens;  // that PyTorch says
  size_t unwanted_steps = 0;              // steps of a rank that were recorded beside the wanted ones
  size_t steps_in_gaps = 0;  // steps of a rank that were left out, because some of their device times are missing
  OutsideSteps outside_steps;
};

// Where the time of the chosen ranks' steps goes.
struct RunTime {
  size_t windows = 0;  // number of device windows: one for each chosen rank and analysed step
  Ledger ledger;
  LedgerRows inferred{};  // of the idle rows, what was inferred instead of recorded
  Overlap overlap;
  std::vector<PhaseMetrics> phases;
  std::array<RowPlace, kLedgerRowCount> row_places;
  std::array<CostliestPlace, kLedgerRowCount> where{};  // in the program, of row_places
};

// Communication between ranks, for all ranks, not only the chosen ones.
struct RunCommunication {
  std::vector<CollectiveMetrics> collectives;
  uint64_t collectives_in_graphs = 0;  // whose nodes have no records, in the analysed steps: they have no device times
  std::vector<CollectiveMismatch> mismatches;
  LinkModel links;
  WaitQuality waits;
  WaitTable wait_table;
  MessageTable messages;
  std::vector<ParallelGroups> parallelism;
  std::vector<ShardingBalance> sharding;
};

// One clock for all ranks.
struct AlignedClocks {
  ClockAlignment alignment;
  std::vector<RankClock> ranks;  // as the timelines
};

// Work of host and devices in the chosen ranks' steps, by name.
struct RunWork {
  std::vector<CallMetrics> calls;               // the longest in all first
  std::vector<SourceLineMetrics> source_lines;  // empty without recorded stacks
  std::vector<KernelMetrics> kernels;           // the longest first
  Nanoseconds kernel_total = 0;
  CallTree call_tree;  // empty unless it was asked for, as what is made of it
  std::vector<TimesOfName> operators, modules, lines;
  uint64_t graph_nodes = 0;        // in graphs that ran without records of their nodes, in all windows; as far as known
  uint64_t conditional_nodes = 0;  // of these
};

// How the chosen ranks' devices are used.
struct RunDevices {
  Efficiency efficiency;
  std::vector<MemoryOfRank> memory;
  std::vector<TelemetryOfRank> telemetry;
};

struct RunMetrics {
  RunSteps steps;
  RunTime time;
  DataPipeline input;
  RunCommunication communication;
  StragglerReport stragglers;
  AlignedClocks clocks;
  JobProgress progress;
  RunWork work;
  RunDevices devices;
  std::vector<RankMetrics> ranks;

  // Whether any of the ranks is timed (RankTimeline). If none is, everything that is measured on devices is unknown.
  bool is_timed() const {
    return std::any_of(ranks.begin(), ranks.end(),
                       [](const RankMetrics& rank) { return rank.untimed_because.empty(); });
  }
  // The time of all ranks' analysed steps.
  Nanoseconds step_ns() const {
    Nanoseconds sum = 0;
    for (const RankMetrics& rank : ranks) sum += rank.step_ns;
    return sum;
  }
};

// `ranks` are sorted by number, with clocks as recorded; aligns their clocks and books their exposed communication.
// `chosen_ranks` narrows whose time is summed; collectives and stragglers always cover all ranks.
// `matches`: of these ranks (match_collectives).
RunMetrics run_metrics(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const std::optional<StepRange>& choice, const std::optional<std::set<int32_t>>& chosen_ranks,
                       const EfficiencyInput& efficiency = {});

}  // namespace tauprof
