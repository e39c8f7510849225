// A time of both sides, and whether it differs by more than chance.
#pragma once

#include <optional>
#include <vector>

#include "metrics/statistics/mean_comparison.h"
#include "model/time.h"

namespace tauprof {

struct JudgedTime {
  Nanoseconds a_ns = 0;  // the means, rounded
  Nanoseconds b_ns = 0;
  MeanComparison means;
  std::optional<double> p_adjusted;  // for the number of tests in its table; none: not judged
  bool is_significant = false;

  Nanoseconds difference_ns() const { return a_ns - b_ns; }
};

// Not yet adjusted.
JudgedTime judge_time(const SideSeries& a, const SideSeries& b);

// Adjusts the p-values of a table's times for their number, and tells which are significant.
void adjust_for_many(const std::vector<JudgedTime*>& table);

}  // namespace tauprof
