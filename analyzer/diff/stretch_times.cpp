#include "diff/stretch_times.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"

namespace tauprof {

void StretchTimes::add(size_t run, const TimePerStep& time) {
  TimePerStep& sum = of_run_[run];
  sum.mean_ns += time.mean_ns;
  sum.in_stretches_ns.resize(std::max(sum.in_stretches_ns.size(), time.in_stretches_ns.size()));
  for (size_t i = 0; i < time.in_stretches_ns.size(); ++i) sum.in_stretches_ns[i] += time.in_stretches_ns[i];
}

double StretchTimes::mean_ns(const std::vector<AnalyzedRun>& runs) const {
  double sum = 0;
  for (const auto& [run, time] : of_run_) sum += time.mean_ns;
  return sum / static_cast<double>(runs.size());
}

SideSeries StretchTimes::series(const std::vector<AnalyzedRun>& runs) const {
  SideSeries result;
  for (size_t run = 0; run < runs.size(); ++run) {
    const auto found = of_run_.find(run);
    const size_t steps = runs[run].report.metrics.steps.series.device_ns.size();
    result.push_back(found != of_run_.end() && !found->second.in_stretches_ns.empty()
                         ? found->second.in_stretches_ns
                         : std::vector<double>(std::min(steps, kMostStretches), 0.0));
  }
  return result;
}

JudgedTime StretchTimesOfSides::judge(const std::vector<AnalyzedRun>& runs_a,
                                      const std::vector<AnalyzedRun>& runs_b) const {
  JudgedTime time = judge_time(a.series(runs_a), b.series(runs_b));
  time.means.a = a.mean_ns(runs_a);
  time.means.b = b.mean_ns(runs_b);
  time.a_ns = std::llround(time.means.a);
  time.b_ns = std::llround(time.means.b);
  return time;
}

}  // namespace tauprof
