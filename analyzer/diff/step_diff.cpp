#include <string_view>

#include "diff/apportion.h"
#include "diff/comparisons.h"
#include "limits/analysis_limits.h"
#include "metrics/statistics/block_bootstrap.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;

// `of` gives a series of a run.
template <class Of>
SideSeries series_of(const Runs& runs, Of&& of) {
  SideSeries series;
  for (const AnalyzedRun& run : runs) series.push_back(of(run.report.metrics.steps.series));
  return series;
}

template <class Of>
JudgedTime judge(const Runs& a, const Runs& b, Of&& of) {
  return judge_time(series_of(a, of), series_of(b, of));
}

// Rounds the parts of each side so that they sum to its step.
void fit(std::vector<NamedTime>& parts, const JudgedTime& step) {
  std::vector<double> of_a, of_b;
  for (const NamedTime& part : parts) {
    of_a.push_back(part.time.means.a);
    of_b.push_back(part.time.means.b);
  }
  const std::vector<Nanoseconds> a = apportion(of_a, step.a_ns), b = apportion(of_b, step.b_ns);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].time.a_ns = a[i];
    parts[i].time.b_ns = b[i];
  }
}

void adjust(std::vector<NamedTime>& parts) {
  std::vector<JudgedTime*> table;
  for (NamedTime& part : parts) table.push_back(&part.time);
  adjust_for_many(table);
}

// A list of names with, for each, the series of a run that StepSeries holds at its place.
template <class Names, class Member>
std::vector<NamedTime> compare_parts(const Runs& a, const Runs& b, const Names& names, Member member,
                                     const JudgedTime& step) {
  std::vector<NamedTime> parts;
  for (size_t i = 0; i < names.size(); ++i)
    parts.push_back(
        {std::string(names[i]), judge(a, b, [&](const StepSeries& series) { return (series.*member)[i]; })});
  fit(parts, step);
  adjust(parts);
  return parts;
}

// Both the test and the interval must speak for a difference: each is an approximation of its own.
Outcome outcome_of(const StepDiff& step) {
  const MeanComparison& means = step.time.means;
  if (!means.test) return Outcome::kNotJudged;
  const bool excludes_zero = !step.interval || step.interval->low > 0 || step.interval->high < 0;
  if (means.test->p > 1 - kConfidence || !excludes_zero) return Outcome::kNotShown;
  return means.difference() > 0 ? Outcome::kSlower : Outcome::kFaster;
}

void judge_step(const SideSeries& a, const SideSeries& b, StepDiff& step) {
  step.time = judge_time(a, b);
  const MeanComparison& means = step.time.means;
  if (means.test && means.b > 0) {
    step.interval = bootstrap_interval(a, b);
    step.interval_method = !step.interval  ? IntervalMethod::kStudent
                           : a.size() == 1 ? IntervalMethod::kBlocks
                                           : IntervalMethod::kRuns;
    if (!step.interval) step.interval = means.test->of_ratio;
    step.detectable = means.test->detectable_difference / means.b;
  }
  step.outcome = outcome_of(step);
  if (means.test) step.time.p_adjusted = means.test->p;  // the only test of its table
  step.time.is_significant = step.outcome == Outcome::kSlower || step.outcome == Outcome::kFaster;
}

}  // namespace

void compare_steps(const Runs& a, const Runs& b, Diff& diff) {
  diff.step.is_on_host = !have_device_times(a) || !have_device_times(b);
  const auto duration = [&](const StepSeries& series) {
    return diff.step.is_on_host ? series.host_ns : series.device_ns;
  };
  judge_step(series_of(a, duration), series_of(b, duration), diff.step);
  if (diff.step.is_on_host) return;
  diff.rows = compare_parts(a, b, kLedgerRowNames, &StepSeries::row_ns, diff.step.time);
  diff.phase_parts = compare_parts(a, b, kPhaseNames, &StepSeries::phase_ns, diff.step.time);
}

std::vector<PhaseDiff> compare_phases(const Runs& a, const Runs& b) {
  std::vector<PhaseDiff> phases;
  const bool are_timed = have_device_times(a) && have_device_times(b);
  for (size_t i = 0; i < a.front().report.metrics.steps.series.phases.size(); ++i) {
    const PhaseSeries& phase_series = a.front().report.metrics.steps.series.phases[i];
    PhaseDiff& phase = phases.emplace_back();
    phase.name = phase_series.name;
    phase.is_derived = phase_series.is_derived;
    phase.host = judge(a, b, [&](const StepSeries& series) { return series.phases[i].host_ns; });
    if (are_timed) phase.device = judge(a, b, [&](const StepSeries& series) { return series.phases[i].device_ns; });
  }
  std::vector<JudgedTime*> host, device;
  for (PhaseDiff& phase : phases) {
    host.push_back(&phase.host);
    if (phase.device) device.push_back(&*phase.device);
  }
  adjust_for_many(host);
  adjust_for_many(device);
  return phases;
}

}  // namespace tauprof
