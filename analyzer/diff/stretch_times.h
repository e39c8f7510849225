// Times that are kept in stretches of a run instead of step by step, for each run of a side.
#pragma once

#include <map>
#include <vector>

#include "diff/diff.h"
#include "metrics/statistics/time_per_step.h"

namespace tauprof {

class StretchTimes {
 public:
  void add(size_t run, const TimePerStep& time);
  // The mean over the runs. A run to which nothing was added counts with no time …
  double mean_ns(const std::vector<AnalyzedRun>& runs) const;
  // … and so do its stretches.
  SideSeries series(const std::vector<AnalyzedRun>& runs) const;

 private:
  std::map<size_t, TimePerStep> of_run_;
};

// A row of a table: what each side has of it.
struct StretchTimesOfSides {
  StretchTimes a, b;

  JudgedTime judge(const std::vector<AnalyzedRun>& runs_a, const std::vector<AnalyzedRun>& runs_b) const;
};

}  // namespace tauprof
