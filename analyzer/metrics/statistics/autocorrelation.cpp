#include "metrics/statistics/autocorrelation.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// Longer series are averaged over neighbours first, because lags are as many as values in the worst case (a trend).
constexpr size_t kMostLaggedValues = 4096;
constexpr int kCorrections = 2;
// Of a value's variance, the part that subtracting the mean can have taken.
constexpr double kMostTaken = 0.5;

// Autocovariances, each computed when it is first asked for.
class Autocovariance {
 public:
  explicit Autocovariance(const std::vector<double>& values) : deviations_(values) {
    const double mean = mean_of(values);
    for (double& value : deviations_) value -= mean;
  }

  double at(size_t lag) {
    while (known_.size() <= lag) known_.push_back(compute(known_.size()));
    return known_[lag];
  }

 private:
  double compute(size_t lag) const {
    double sum = 0;
    for (size_t i = lag; i < deviations_.size(); ++i) sum += deviations_[i] * deviations_[i - lag];
    return sum / static_cast<double>(deviations_.size());
  }

  std::vector<double> deviations_;
  std::vector<double> known_;
};

// `taken`: the part of the variance that subtracting the mean took.
double initial_monotone_time(Autocovariance& covariance, size_t n, double taken) {
  const auto correlation = [&](size_t lag) {
    const double weight = 1 - static_cast<double>(lag) / static_cast<double>(n);
    return (1 - taken) * covariance.at(lag) / covariance.at(0) + taken * weight;
  };
  double sum = 0, before = std::numeric_limits<double>::infinity();
  for (size_t pair = 0; 2 * pair + 1 < n; ++pair) {
    const double both = std::min(before, correlation(2 * pair) + correlation(2 * pair + 1));
    if (both <= 0) break;
    sum += both;
    before = both;
  }
  return std::max(1.0, 2 * sum - 1);
}

std::vector<double> averaged(const std::vector<double>& values, size_t neighbours) {
  std::vector<double> result;
  for (size_t i = 0; i + neighbours <= values.size(); i += neighbours)
    result.push_back(std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(i),
                                     values.begin() + static_cast<std::ptrdiff_t>(i + neighbours), 0.0) /
                     static_cast<double>(neighbours));
  return result;
}

double variance_of(const std::vector<double>& values) { return Autocovariance(values).at(0); }

}  // namespace

double autocorrelation_time(const std::vector<double>& values) {
  if (values.size() < 4) return 1;
  if (values.size() > kMostLaggedValues) {
    const size_t neighbours = (values.size() + kMostLaggedValues - 1) / kMostLaggedValues;
    const std::vector<double> means = averaged(values, neighbours);
    const double variance = variance_of(values);
    if (variance <= 0) return 1;
    return std::max(1.0, autocorrelation_time(means) * static_cast<double>(neighbours) * variance_of(means) / variance);
  }
  Autocovariance covariance(values);
  if (covariance.at(0) <= 0) return 1;
  const auto n = static_cast<double>(values.size());
  double time = initial_monotone_time(covariance, values.size(), 0);
  for (int i = 0; i < kCorrections; ++i)
    time = initial_monotone_time(covariance, values.size(), std::min(time / n, kMostTaken));
  return std::min(time, n / 2);
}

SeriesMean mean_of_series(const std::vector<double>& values) {
  SeriesMean result;
  result.count = values.size();
  if (values.empty()) return result;
  result.mean = mean_of(values);
  result.effective_count = static_cast<double>(values.size()) / autocorrelation_time(values);
  if (result.effective_count > 1) result.variance_of_mean = variance_of(values) / (result.effective_count - 1);
  return result;
}

}  // namespace tauprof
