#include "metrics/statistics/block_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "limits/analysis_limits.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// The tails of an expanded interval need this many. It takes some 100 ms.
constexpr size_t kResamples = 10'000;
constexpr uint64_t kSeed = 1;
// Of long series longer blocks do as well, and cost less.
constexpr double kMostBlocks = 1000;

class Draws {
 public:
  // Uniform below `limit`; the distributions of the standard library differ between platforms.
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }

 private:
  std::mt19937_64 engine_{kSeed};
};

// Means of resampled series.
class Resampling {
 public:
  Resampling(const std::vector<double>& values, size_t block) : count_(values.size()), block_(block) {
    sums_.push_back(0);
    for (size_t i = 0; i < count_ + block; ++i) sums_.push_back(sums_.back() + values[i % count_]);
  }

  double mean(Draws& draws) const {
    double sum = 0;
    for (size_t drawn = 0; drawn < count_; drawn += block_) {
      const size_t length = std::min(block_, count_ - drawn);
      const size_t start = draws.below(count_);
      sum += sums_[start + length] - sums_[start];
    }
    return sum / static_cast<double>(count_);
  }

 private:
  size_t count_;
  size_t block_;
  std::vector<double> sums_;  // of the values before, going round the end
};

// As an offset from the series' mean, lest large sums lose what small differences need.
std::vector<double> centred(const std::vector<double>& values) {
  std::vector<double> result = values;
  const double mean = mean_of(values);
  for (double& value : result) value -= mean;
  return result;
}

struct SideSample {
  double mean = 0;
  double independent = 0;  // values that the mean is made of
  Resampling resampling;
};

SideSample sample_of(const SideSeries& series) {
  if (series.size() > 1) {
    std::vector<double> means;
    for (const std::vector<double>& run : series) means.push_back(mean_of(run));
    return {mean_of(means), static_cast<double>(means.size()), Resampling(centred(means), 1)};
  }
  const std::vector<double>& run = series.front();
  const double time = autocorrelation_time(run);
  const auto n = static_cast<double>(run.size());
  return {mean_of(run), n / time, Resampling(centred(run), block_length(run.size(), time))};
}

// The part of the resamples to leave out at each end.
double expanded_tail(double independent) {
  const double reach = t_quantile(0.5 + kConfidence / 2, independent - 1);
  return normal_cdf(-std::sqrt(independent / (independent - 1)) * reach);
}

bool can_resample(const SideSeries& series) {
  return series.size() == 1 ? series.front().size() >= kFewestStepsToJudge : series.size() >= kFewestRunsToResample;
}

}  // namespace

size_t block_length(size_t steps, double autocorrelation_time) {
  const auto n = static_cast<double>(steps);
  const double memory = (autocorrelation_time * autocorrelation_time - 1) / (2 * autocorrelation_time);
  const double length = std::cbrt(1.5 * n * memory * memory);
  return static_cast<size_t>(std::ceil(std::clamp(length, std::max(1.0, n / kMostBlocks), std::max(1.0, n / 4))));
}

std::optional<Range> bootstrap_interval(const SideSeries& series_a, const SideSeries& series_b) {
  if ((series_a.size() == 1) != (series_b.size() == 1) || !can_resample(series_a) || !can_resample(series_b))
    return std::nullopt;
  const SideSample a = sample_of(series_a), b = sample_of(series_b);
  if (b.mean <= 0) return std::nullopt;
  Draws draws;
  std::vector<double> ratios(kResamples);
  for (double& ratio : ratios) ratio = (a.mean + a.resampling.mean(draws)) / (b.mean + b.resampling.mean(draws)) - 1;
  std::sort(ratios.begin(), ratios.end());
  const double tail = expanded_tail(std::min(a.independent, b.independent));
  const auto left_out = static_cast<size_t>(tail * static_cast<double>(kResamples));
  return Range{ratios[left_out], ratios[kResamples - 1 - left_out]};
}

}  // namespace tauprof
