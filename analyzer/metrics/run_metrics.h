// The numbers of a whole run, from its ranks' timelines: what the findings read and the reports print.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "align/align_clocks.h"
#include "metrics/collective_match.h"
#include "metrics/collective_mismatch.h"
#include "metrics/collective_waits.h"
#include "metrics/data_pipeline.h"
#include "metrics/message_table.h"
#include "metrics/overlap.h"
#include "metrics/place_table.h"
#include "metrics/run_progress.h"
#include "metrics/statistics.h"
#include "metrics/step_agreement.h"
#include "metrics/step_selection.h"
#include "metrics/stragglers.h"
#include "metrics/wait_totals.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PhaseMetrics {
  std::string_view name;
  bool is_derived = false;   // made of other phases: outside every sum
  Statistics host;           // over ranks and steps
  Statistics device;         // the union of what the phase launched
  double host_share = 0;     // of the host windows
  double device_share = 0;   // of the device windows
  Statistics host_of_ranks;  // over ranks, of each rank's mean
  Statistics device_of_ranks;
};

struct CollectiveMetrics {
  std::string communicator;
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int32_t ranks = 0;
  uint64_t count = 0;
  std::optional<int64_t> size_bytes;
  std::optional<double> algbw_gb_per_s;
  std::optional<double> busbw_gb_per_s;
  std::optional<double> busbw_transfer_gb_per_s;  // over the shortest span; all-pairs operations, all ranks recorded
  std::optional<Nanoseconds> wait_ns;             // over ranks and instances
  std::optional<Nanoseconds> transfer_ns;
  std::optional<Nanoseconds> skew_ns;  // last arrival − first arrival, over instances
  std::optional<double> imbalance;     // of unequal all-to-alls: most bytes sent by a rank, over the mean
  std::optional<double> imbalance_received;
  int32_t heaviest_receiver = -1;  // the rank that received most, where they are unequal; -1: none, or not known
  Nanoseconds exposed_ns = 0;
  bool wait_is_upper_bound = false;
  bool wait_within_clock_bound = false;  // the clocks may be wrong by more than the mean wait
};

struct KernelMetrics {
  std::string name;
  SpanClass span_class = SpanClass::kUnclassified;
  uint64_t count = 0;
  Nanoseconds total = 0;
};

struct RankMetrics {
  int32_t rank = -1;
  std::string host;
  size_t windows = 0;       // analysed steps that it has
  Nanoseconds step_ns = 0;  // their total
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

struct RunMetrics {
  StepAgreement agreement;
  StepSelection steps;
  Statistics step_duration;  // of the analysed steps, each the mean over its ranks
  size_t windows = 0;        // device windows summed: one for each chosen rank and analysed step
  std::vector<PhaseMetrics> phases;
  DataPipeline input;
  LedgerRows inferred{};  // of the idle rows, what was inferred instead of recorded
  Ledger ledger;
  Overlap overlap;
  std::vector<CollectiveMetrics> collectives;
  WaitTable communication;
  MessageTable messages;
  StragglerReport stragglers;
  WaitQuality waits;
  ClockAlignment alignment;
  std::vector<RankClock> clocks;  // as the timelines
  RunProgress progress;
  std::vector<CollectiveMismatch> mismatches;
  std::vector<KernelMetrics> kernels;  // the longest first
  Nanoseconds kernel_total = 0;
  std::vector<PlaceMetrics> places;  // where stacks were recorded
  std::vector<RankMetrics> ranks;
};

// `ranks` by rank number, with clocks as recorded. Aligns them. Books their exposed communication. `chosen_ranks`
// narrows whose time is summed; collectives and stragglers always look at all.
RunMetrics run_metrics(std::vector<RankTimeline>& ranks, const std::optional<StepRange>& choice,
                       const std::optional<std::set<int32_t>>& chosen_ranks);

}  // namespace tauprof
