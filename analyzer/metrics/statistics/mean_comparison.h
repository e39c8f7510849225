// Whether two sides' means differ by more than chance: Welch's test on what is independent.
//
// Each side has one or more runs, each run a series of values, one per step. What counts as independent:
//
//   one run on each side      its steps, as many as their autocorrelation leaves (autocorrelation.h). How much runs
//                             differ by themselves cannot be told, so it is not in the result.
//   several on both           the runs: their means vary as runs do, which includes how their steps vary. A side's
//                             variance is never taken for less than its steps alone would give it: two runs may agree
//                             by chance.
//   one against several       the runs, with one variance for both sides: that of the side with several.
//
// Example: two runs of 1,000 steps each, means of 100 and 101 ms, deviation 3 ms, each step handing 70 % of its noise
// on to the next. Worth 176 steps each; the means' difference varies by 0.32 ms; t = 3.1, p = 0.002.
//
// Welch, "The generalization of 'Student's' problem when several different population variances are involved",
// Biometrika 34, 1947; runs as units: Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013.
#pragma once

#include <optional>
#include <vector>

#include "metrics/statistics/autocorrelation.h"

namespace tauprof {

enum class Units { kNone, kSteps, kRuns };

struct Range {
  double low = 0;
  double high = 0;
};

// The runs of a side; of each, its values step by step.
using SideSeries = std::vector<std::vector<double>>;

// How sure the difference of the means is.
struct MeanTest {
  double standard_error = 0;
  double degrees = 0;  // of freedom
  double t = 0;        // 0 if both are equal
  double p = 1;
  Range of_ratio;                    // interval of a/b − 1 at kConfidence; meaningless without b
  double detectable_difference = 0;  // one as large would be found with kDetection
};

struct MeanComparison {
  double a = 0;  // the mean of the runs' means
  double b = 0;
  double effective_a = 0;  // independent steps in all runs
  double effective_b = 0;
  Units units = Units::kNone;
  std::optional<MeanTest> test;  // none: there is too little to judge

  double difference() const { return a - b; }
  std::optional<double> ratio() const { return b > 0 ? std::optional(a / b - 1) : std::nullopt; }
};

// Both sides have runs, and each run has values.
MeanComparison compare_means(const SideSeries& a, const SideSeries& b);

}  // namespace tauprof
