#include "metrics/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace tauprof {

namespace {

template <class Number>
Number lower_median_of(std::vector<Number>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Nanoseconds lower_median(std::vector<Nanoseconds>& values) { return lower_median_of(values); }
double lower_median(std::vector<double>& values) { return lower_median_of(values); }

Nanoseconds spread(std::vector<Nanoseconds> values) {
  const Nanoseconds middle = lower_median(values);
  for (Nanoseconds& value : values) value = std::abs(value - middle);
  return lower_median(values);
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(const std::vector<Nanoseconds>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  return static_cast<double>(sorted[below]) + share * static_cast<double>(sorted[above] - sorted[below]);
}

Statistics statistics_of(std::vector<Nanoseconds> values) {
  Statistics result;
  result.count = values.size();
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  __int128 sum = 0;
  for (Nanoseconds value : values) sum += value;
  const auto n = static_cast<double>(values.size());
  result.mean = static_cast<double>(sum) / n;
  double squares = 0;
  for (Nanoseconds value : values)
    squares += (static_cast<double>(value) - result.mean) * (static_cast<double>(value) - result.mean);
  result.stddev = std::sqrt(squares / n);
  result.median = quantile(values, 0.5);
  result.p95 = quantile(values, 0.95);
  result.min = static_cast<double>(values.front());
  result.max = static_cast<double>(values.back());
  return result;
}

}  // namespace tauprof
