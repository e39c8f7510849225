// What differs between side A and side B, each of one or more runs. B is what A is compared with, so a positive
// difference means that A takes longer.
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
                      [](const AnalyzedRun& run) { return run.report.metrics.series.device_ns.empty(); });
}

struct RunSummary {
  std::string path;
  std::string id;
  int32_t ranks = 0;
  size_t steps = 0;
  size_t warmup = 0;
  double effective_steps = 0;  // what they are worth (metrics/statistics/autocorrelation.h)
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
  std::vector<PhaseDiff> phases;
  std::vector<KernelDiff> kernels;          // the largest difference first
  std::vector<CollectiveDiff> collectives;  // the same
  std::vector<MemoryDiff> memory;           // what is known on both sides
  std::vector<SettingDiff> settings;
  std::vector<std::string> notes;  // what to know before believing the above
};

}  // namespace tauprof
