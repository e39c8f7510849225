#include "metrics/stragglers/more_than_chance.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/f_distribution.h"

namespace tauprof {
namespace {

// Causes that are tested together.
using Causes = std::vector<Cause>;

// Whether kernels that take longer are slow or more is told by counts that noise does not change: of two stages, only
// one may ever have more to compute. But how much longer they take is subject to the same noise.
constexpr Cause kOfComputing[] = {Cause::kSlowCompute, Cause::kMoreCompute, Cause::kMoreTokens};

bool is_of_computing(Cause cause) {
  return std::find(std::begin(kOfComputing), std::end(kOfComputing), cause) != std::end(kOfComputing);
}

std::vector<Causes> tested_together() {
  std::vector<Causes> tests = {Causes(std::begin(kOfComputing), std::end(kOfComputing))};
  Causes all;
  for (size_t i = 0; i < kCauseCount; ++i) {
    const auto cause = static_cast<Cause>(i);
    all.push_back(cause);
    if (cause != Cause::kUnknown && !is_of_computing(cause)) tests.push_back({cause});
  }
  tests.push_back(std::move(all));
  return tests;
}

// The blame of one rank for some causes, over all steps.
struct Sums {
  size_t rank;
  double sum = 0;
  double squares = 0;  // of the steps' sums
};

double sum_of(const std::array<double, kCauseCount>& by_cause, const Causes& causes) {
  return std::accumulate(causes.begin(), causes.end(), 0.0,
                         [&](double sum, Cause cause) { return sum + by_cause[static_cast<size_t>(cause)]; });
}

// By sum, the smallest first.
std::vector<Sums> sums_of(const std::vector<RankBlame>& ranks, const Causes& causes) {
  std::vector<Sums> sums;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!ranks[rank].is_timed) continue;
    Sums& rank_sums = sums.emplace_back(Sums{rank});
    for (const auto& [step, by_cause] : ranks[rank].by_step) {
      const double blamed = sum_of(by_cause, causes);
      rank_sums.sum += blamed;
      rank_sums.squares += blamed * blamed;
    }
  }
  std::stable_sort(sums.begin(), sums.end(), [](const Sums& a, const Sums& b) { return a.sum < b.sum; });
  return sums;
}

double shape_of(double sum, double squares, double steps) {
  const double mean = sum / steps, variance = squares / steps - mean * mean;
  return mean <= 0 ? 0 : mean * mean / std::max(variance, mean * mean / kMostShape);
}

// How often chance puts as much on a rank. `others`: as many ranks together.
double probability(const Sums& own, const Sums& others, size_t ranks, size_t steps) {
  const auto n = static_cast<double>(steps), of_others = n * static_cast<double>(ranks);
  const double mean = others.sum / of_others;
  if (mean <= 0) return 0;
  const double shape = shape_of(others.sum, others.squares, of_others);
  return f_tail(own.sum / n / mean, 2 * shape * n, 2 * shape * of_others);
}

}  // namespace

std::vector<bool> blamed_for_more_than_chance(const std::vector<RankBlame>& ranks, size_t steps, double total_ns) {
  std::vector<bool> found(ranks.size(), false);
  const double least = kStragglerShare * total_ns;
  if (steps == 0) return found;
  const std::vector<Causes> tests = tested_together();
  for (const Causes& causes : tests) {
    const std::vector<Sums> sums = sums_of(ranks, causes);
    const double most = kFalseAlarms / static_cast<double>(tests.size() * std::max<size_t>(1, sums.size()));
    Sums less{};
    bool is_significant = false;
    for (size_t i = 0; i < sums.size(); ++i) {
      if (i >= sums.size() / 2 && sums[i].sum >= least) {
        is_significant = is_significant || probability(sums[i], less, i, steps) < most;
        if (is_significant) found[sums[i].rank] = true;
      }
      less.sum += sums[i].sum;
      less.squares += sums[i].squares;
    }
  }
  return found;
}

bool ValueChance::is_beyond(double value) {
  if (added_ < values_ / 2 || value <= 0) return false;
  const Sums own{0, value, value * value}, less{0, sum_, squares_};
  const double most = kFalseAlarms / static_cast<double>(kCauseCount * values_);
  is_beyond_ = is_beyond_ || probability(own, less, added_, 1) < most;
  return is_beyond_;
}

void ValueChance::add(double value) {
  ++added_;
  sum_ += value;
  squares_ += value * value;
}

}  // namespace tauprof
