#include "metrics/statistics/mean_comparison.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"
#include "metrics/statistics/distributions.h"

namespace tauprof {
namespace {

struct Side {
  size_t runs = 0;
  double mean = 0;
  double effective_steps = 0;
  bool has_enough_steps = true;  // in each run
  double within = 0;             // variance of a run's mean, as its steps vary; mean over the runs
  double between = 0;            // variance of the runs' means
};

Side side_of(const SideSeries& series) {
  Side side;
  side.runs = series.size();
  const auto runs = static_cast<double>(series.size());
  std::vector<SeriesMean> means;
  for (const std::vector<double>& run : series) {
    means.push_back(mean_of_series(run));
    side.mean += means.back().mean / runs;
    side.effective_steps += means.back().effective_count;
    side.within += means.back().variance_of_mean / runs;
    side.has_enough_steps &= run.size() >= kFewestStepsToJudge;
  }
  if (series.size() > 1)
    for (const SeriesMean& run : means) side.between += (run.mean - side.mean) * (run.mean - side.mean) / (runs - 1);
  return side;
}

// A side's mean: its variance, and how many degrees of freedom that has.
struct Spread {
  double variance = 0;
  double degrees = 0;
};

Spread spread_of_steps(const Side& side) { return {side.within, side.effective_steps - 1}; }

Spread spread_of_runs(const Side& side, double within_floor, double between, size_t units) {
  return {std::max(between, within_floor) / static_cast<double>(side.runs), static_cast<double>(units - 1)};
}

MeanTest test_of(const Side& of_a, const Side& of_b, Spread a, Spread b, double degrees) {
  MeanTest test;
  const double difference = of_a.mean - of_b.mean;
  test.standard_error = std::sqrt(a.variance + b.variance);
  test.degrees = degrees;
  if (difference == 0) {
    test.p = 1;
  } else if (test.standard_error > 0) {
    test.t = difference / test.standard_error;
    test.p = two_sided_p(test.t, degrees);
  } else {
    test.p = 0;  // all values of a side are equal
  }
  const double reach = t_quantile(0.5 + kConfidence / 2, degrees);
  test.detectable_difference = (reach + t_quantile(kDetection, degrees)) * test.standard_error;
  const double ratio = of_a.mean / of_b.mean;
  const double ratio_error = std::sqrt(a.variance + ratio * ratio * b.variance) / of_b.mean;
  test.of_ratio = {ratio - 1 - reach * ratio_error, ratio - 1 + reach * ratio_error};
  return test;
}

// Satterthwaite's degrees of freedom of the sum of both variances.
double welch_degrees(Spread a, Spread b) {
  const double sum = a.variance + b.variance;
  if (sum <= 0) return std::min(a.degrees, b.degrees);
  return sum * sum / (a.variance * a.variance / a.degrees + b.variance * b.variance / b.degrees);
}

}  // namespace

MeanComparison compare_means(const SideSeries& series_a, const SideSeries& series_b) {
  const Side a = side_of(series_a), b = side_of(series_b);
  MeanComparison result;
  result.a = a.mean;
  result.b = b.mean;
  result.effective_a = a.effective_steps;
  result.effective_b = b.effective_steps;
  Spread of_a, of_b;
  double degrees = 0;
  if (a.runs > 1 && b.runs > 1) {
    result.units = Units::kRuns;
    of_a = spread_of_runs(a, a.within, a.between, a.runs);
    of_b = spread_of_runs(b, b.within, b.between, b.runs);
    degrees = welch_degrees(of_a, of_b);
  } else if (a.runs > 1 || b.runs > 1) {
    result.units = Units::kRuns;
    const Side& several = a.runs > 1 ? a : b;
    const double floor = std::max(a.within, b.within);
    of_a = spread_of_runs(a, floor, several.between, several.runs);
    of_b = spread_of_runs(b, floor, several.between, several.runs);
    degrees = of_a.degrees;
  } else if (a.has_enough_steps && b.has_enough_steps) {
    result.units = Units::kSteps;
    of_a = spread_of_steps(a);
    of_b = spread_of_steps(b);
    degrees = welch_degrees(of_a, of_b);
  } else {
    return result;
  }
  result.test = test_of(a, b, of_a, of_b, degrees);
  return result;
}

}  // namespace tauprof
