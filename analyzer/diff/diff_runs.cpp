#include "diff/diff_runs.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "diff/comparisons.h"
#include "metrics/statistics/autocorrelation.h"
#include "report/throughput.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;

RunSummary summary_of(const AnalyzedRun& run, bool is_on_host) {
  const RunFacts& facts = run.report.facts;
  const RunMetrics& metrics = run.report.metrics;
  RunSummary summary;
  summary.path = run.path;
  summary.id = facts.id;
  summary.ranks = facts.ranks;
  summary.warmup = metrics.steps.selection.warmup;
  summary.steps_source = facts.steps_source;
  summary.steps_confidence = facts.steps_confidence;
  const SeriesMean mean = mean_of_series(is_on_host ? metrics.steps.series.host_ns : metrics.steps.series.device_ns);
  summary.steps = mean.count;
  summary.effective_steps = mean.effective_count;
  summary.step_ns = mean.mean;
  return summary;
}

template <class Rate>
std::optional<double> mean_rate(const Runs& runs, Rate&& rate) {
  double sum = 0;
  for (const AnalyzedRun& run : runs) {
    const std::optional<double> rate_of_run = rate(run.report);
    if (!rate_of_run) return std::nullopt;
    sum += *rate_of_run;
  }
  return sum / static_cast<double>(runs.size());
}

SideThroughput throughput_of(const Runs& runs) {
  SideThroughput throughput;
  throughput.steps_per_s = mean_rate(runs, [](const Report& report) -> std::optional<double> {
    const double step_ns = report.metrics.steps.step_duration.mean;
    return step_ns > 0 ? std::optional(1e9 / step_ns) : std::nullopt;
  });
  const auto per_second = [](const std::optional<InputRate>& rate) {
    return rate ? std::optional(rate->per_second) : std::nullopt;
  };
  throughput.samples_per_s = mean_rate(runs, [&](const Report& report) { return per_second(sample_rate(report)); });
  throughput.tokens_per_s = mean_rate(runs, [&](const Report& report) { return per_second(token_rate(report)); });
  return throughput;
}

Side side_of(const Runs& runs, bool is_on_host) {
  Side side;
  for (const AnalyzedRun& run : runs) side.runs.push_back(summary_of(run, is_on_host));
  side.throughput = throughput_of(runs);
  return side;
}

bool have_one_in_common(const Runs& a, const Runs& b) {
  const auto identity = [](const AnalyzedRun& run) {
    return std::tuple(run.path, run.report.facts.id, run.report.facts.started_realtime_ns);
  };
  std::set<std::tuple<std::string, std::string, int64_t>> of_a;
  for (const AnalyzedRun& run : a) of_a.insert(identity(run));
  return std::any_of(b.begin(), b.end(), [&](const AnalyzedRun& run) { return of_a.count(identity(run)) > 0; });
}

bool differs(const Diff& diff, const char* name) {
  return std::any_of(diff.settings.begin(), diff.settings.end(), [&](const SettingDiff& setting) {
    return setting.name == name && !setting.a.empty() && !setting.b.empty();
  });
}

void note_quality(const Runs& runs, std::vector<std::string>& notes) {
  for (const AnalyzedRun& run : runs) {
    const RunFacts& facts = run.report.facts;
    if (facts.steps_confidence < 1)
      notes.push_back(run.path + ": its steps are inferred (" + facts.steps_source + "): " + facts.steps_reason);
    if (!facts.missing_ranks.empty())
      notes.push_back(run.path + ": " + std::to_string(facts.missing_ranks.size()) + " of its ranks have no log");
    if (const uint64_t dropped = facts.dropped_total(); dropped > 0)
      notes.push_back(run.path + ": " + std::to_string(dropped) + " events were dropped");
  }
}

std::vector<std::string> notes_on(const Runs& a, const Runs& b, const Diff& diff) {
  std::vector<std::string> notes;
  if (have_one_in_common(a, b)) notes.push_back("the same run is on both sides");
  if (a.size() == 1 && b.size() == 1 && diff.step.time.means.test)
    notes.push_back(
        "one run on each side: how much runs differ by themselves is not in the interval; several would tell");
  else if ((a.size() == 1) != (b.size() == 1))
    notes.push_back("one run on one side: it is taken to vary as the other side's runs do");
  const auto is_read = [](const AnalyzedRun& run) { return run.is_read; };
  if (std::any_of(a.begin(), a.end(), is_read) || std::any_of(b.begin(), b.end(), is_read))
    notes.push_back(
        "a JSON report has the steps one by one, and of all else the means: only several runs on each side tell "
        "whether those differ by chance; the logs tell more");
  if (diff.step.is_on_host)
    notes.push_back("device times are missing, so the host's steps are compared, and nothing that runs on devices");
  if (differs(diff, "ranks") || differs(diff, "world_size"))
    notes.push_back("the numbers of ranks differ: a step is not the same work on both sides");
  if (differs(diff, "loader.batch_size"))
    notes.push_back("batch sizes differ: compare samples/s, a step is not the same work on both sides");
  note_quality(a, notes);
  note_quality(b, notes);
  return notes;
}

}  // namespace

Status can_be_compared(const AnalyzedRun& run) {
  const Report& report = run.report;
  if (report.facts.is_by_time())
    return Status::error(run.path +
                         ": no steps are known in it, and only steps can be compared; mark them with --step-marker "
                         "while recording (docs/phases.md)");
  const StepSeries& series = report.metrics.steps.series;
  if (series.device_ns.empty() && series.host_ns.empty())
    return Status::error(run.path + ": has no analysed step to compare; tauprof analyze says why");
  return Status::ok();
}

Diff diff_runs(const Runs& a, const Runs& b) {
  Diff diff;
  compare_steps(a, b, diff);
  diff.a = side_of(a, diff.step.is_on_host);
  diff.b = side_of(b, diff.step.is_on_host);
  compare_ranks(a, b, diff);
  diff.phases = compare_phases(a, b);
  diff.kernels = compare_kernels(a, b);
  diff.collectives = compare_collectives(a, b);
  diff.memory = compare_memory(a, b);
  diff.settings = compare_settings(a, b);
  diff.notes = notes_on(a, b, diff);
  return diff;
}

}  // namespace tauprof
