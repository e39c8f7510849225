// The differences between side A and side B, each of one or more runs. B is the baseline, so a positive difference
// means that A takes longer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/judged_time.h"
#include "report/report.h"

namespace tauprof {

// A run as the user named it, analysed.
struct AnalyzedRun {
  std::string path;
  Report report;
  bool is_read = false;  // from a JSON report (report/read_report.h)
};

inline bool have_device_times(const std::vector<AnalyzedRun>& runs) {
  return std::none_of(runs.begin(), runs.end(),
                      [](const AnalyzedRun& run) { return run.report.metrics.steps.series.device_ns.empty(); });
}

struct RunSummary {
  std::string path;
  std::string id;
  int32_t ranks = 0;
  size_t steps = 0;
  size_t warmup = 0;
  double effective_steps = 0;  // as many independent ones are worth the same (metrics/statistics/autocorrelation.h)
  double step_ns = 0;
  std::string steps_source;
  double steps_confidence = 0;
};

// Of all ranks together. Empty where it is not known for every run of the side.
struct SideThroughput {
  std::optional<double> steps_per_s;
  std::optional<double> samples_per_s;
  std::optional<double> tokens_per_s;
};

struct Side {
  std::vector<RunSummary> runs;
  SideThroughput throughput;
};

enum class Outcome { kSlower, kFaster, kNotShown, kNotJudged };

enum class IntervalMethod { kNone, kBlocks, kRuns, kStudent };

struct StepDiff {
  bool is_on_host = false;  // some run has no device times, so the host windows are compared
  JudgedTime time;
  std::optional<Range> interval;  // of A/B − 1
  IntervalMethod interval_method = IntervalMethod::kNone;
  std::optional<double> detectable;  // a share of B; a difference as large would have been seen
  Outcome outcome = Outcome::kNotJudged;
};

struct NamedTime {
  std::string name;
  JudgedTime time;
};

struct PhaseDiff {
  std::string name;
  bool is_derived = false;
  JudgedTime host;
  std::optional<JudgedTime> device;
};

struct KernelDiff {
  std::string name;
  SpanClass span_class = SpanClass::kUnclassified;
  double a_count = 0;  // per rank and step
  double b_count = 0;
  JudgedTime time;
};

struct CollectiveDiff {
  std::string communicator;  // empty: no name that both sides could share
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int32_t ranks = 0;
  std::optional<int64_t> size_bytes;
  uint64_t a_count = 0;  // of all runs
  uint64_t b_count = 0;
  std::optional<double> a_busbw_gb_per_s;
  std::optional<double> b_busbw_gb_per_s;
  JudgedTime time;     // how long it ran, per rank and step
  JudgedTime exposed;  // how long of that nothing computed
};

// A rank's contribution to the mean step (metrics/run/rank_shares.h). With nobody's, the contributions sum to the step.
struct RankDiff {
  int32_t rank = -1;
  std::string host;
  JudgedTime time;
  bool is_named = false;          // the difference is this rank's, and not one that all ranks share
  std::vector<NamedTime> rows;    // its own ledger, per step; not tested
  Cause cause = Cause::kUnknown;  // of the waiting whose blame changed most
  // The row that changed most beyond the other ranks', in the direction of the step; none: no row of its own did.
  std::optional<size_t> row;  // into `rows`
};

struct RanksDiff {
  std::vector<RankDiff> ranks;  // by rank; empty: they cannot be compared
  JudgedTime nobody;
  std::string unknown_because;  // why they cannot be compared; empty: they can
  double named_share = 0;       // of the step's difference, by the named ranks together

  bool name_somebody() const {
    return std::any_of(ranks.begin(), ranks.end(), [](const RankDiff& rank) { return rank.is_named; });
  }
};

// Of the rank that takes most, on average over a side's runs.
struct MemoryDiff {
  std::string name;
  double a = 0;
  double b = 0;
};

// A fact that the sides do not share; with each, the values of its runs, each once.
struct SettingDiff {
  std::string group;  // run, versions, settings
  std::string name;
  std::vector<std::string> a;
  std::vector<std::string> b;
};

struct Diff {
  Side a;
  Side b;
  StepDiff step;
  // The parts of the step: they sum to it exactly on each side, and so do their differences. Empty without device
  // times.
  std::vector<NamedTime> rows;
  std::vector<NamedTime> phase_parts;
  RanksDiff ranks;
  std::vector<PhaseDiff> phases;
  std::vector<KernelDiff> kernels;          // the largest difference first
  std::vector<CollectiveDiff> collectives;  // the same
  std::vector<MemoryDiff> memory;           // known on both sides
  std::vector<SettingDiff> settings;
  std::vector<std::string> notes;  // caveats, to be read before believing the above
};

}  // namespace tauprof
