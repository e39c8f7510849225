// Mean, median, p95, extremes and standard deviation of a sample of times.
#pragma once

#include <cstddef>
#include <vector>

#include "model/time.h"

namespace tauprof {

struct Statistics {
  size_t count = 0;
  double mean = 0;
  double median = 0;  // the middle value; of an even number, the mean of the two
  double p95 = 0;     // linear between ranks, as numpy.percentile does by default
  double min = 0;
  double max = 0;
  double stddev = 0;  // of the population
};

Statistics statistics_of(std::vector<Nanoseconds> values);

// The middle value; of an even number, the lower of the two. Reorders `values`, which are not empty.
Nanoseconds lower_median(std::vector<Nanoseconds>& values);
double lower_median(std::vector<double>& values);
// How far values are from their lower median, by the lower median. There are some.
Nanoseconds spread(std::vector<Nanoseconds> values);

// `values` are not empty.
double mean_of(const std::vector<double>& values);

// Linear interpolation between closest ranks; `sorted` is not empty, 0 ≤ fraction ≤ 1.
double quantile(const std::vector<Nanoseconds>& sorted, double fraction);

}  // namespace tauprof
