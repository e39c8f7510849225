#include "replay/chance.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

constexpr double kBelow = 0.975;  // of the values of t: 95 % lie between −t and t

// Σ (value − mean)²
double squares(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

double chance_of_examples(const std::vector<double>& steps, const std::vector<double>& with_others) {
  std::vector<double> differences;
  for (size_t i = 0; i < std::min(steps.size(), with_others.size()); ++i)
    if (steps[i] != with_others[i]) differences.push_back(steps[i] - with_others[i]);
  const auto count = static_cast<double>(differences.size());
  if (count < 2) return 0;
  // The mean is over all steps; only these vary.
  return t_quantile(kBelow, count - 1) * std::sqrt(squares(differences) / (count - 1) * count) /
         static_cast<double>(steps.size());
}

double chance_of_unknown_steps(const std::vector<double>& savings, size_t all) {
  if (savings.size() < kFewestSampledSteps || savings.size() >= all) return 0;
  const auto known = static_cast<double>(savings.size());
  return t_quantile(kBelow, known - 1) * std::sqrt(squares(savings) / (known - 1)) *
         std::sqrt(1 / known - 1 / static_cast<double>(all));
}

}  // namespace tauprof
