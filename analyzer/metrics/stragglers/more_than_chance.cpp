#include "metrics/stragglers/more_than_chance.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/distributions.h"

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

// By test, each by sum, the smallest first.
std::vector<std::vector<Sums>> sums_of(const std::vector<RankBlame>& ranks, const std::vector<Causes>& tests) {
  std::vector<std::vector<Sums>> sums(tests.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!ranks[rank].is_timed) continue;
    for (std::vector<Sums>& of_test : sums) of_test.push_back({rank});
    for (const auto& [step, by_cause] : ranks[rank].by_step)
      for (size_t test = 0; test < tests.size(); ++test) {
        const double blamed = sum_of(by_cause, tests[test]);
        sums[test].back().sum += blamed;
        sums[test].back().squares += blamed * blamed;
      }
  }
  for (std::vector<Sums>& of_test : sums)
    std::stable_sort(of_test.begin(), of_test.end(), [](const Sums& a, const Sums& b) { return a.sum < b.sum; });
  return sums;
}

double shape_of(double sum, double squares, double steps) {
  const double mean = sum / steps, variance = squares / steps - mean * mean;
  return mean <= 0 ? 0 : mean * mean / std::max(variance, mean * mean / kMostShape);
}

// Whether chance puts as much on a rank less often than this. `others`: as many ranks together.
bool is_rarer_than(double most, const Sums& own, const Sums& others, size_t ranks, size_t steps) {
  const auto n = static_cast<double>(steps), of_others = n * static_cast<double>(ranks);
  const double mean = others.sum / of_others;
  if (mean <= 0) return true;
  const double shape = shape_of(others.sum, others.squares, of_others);
  const double f = own.sum / n / mean, above = 2 * shape * n, below = 2 * shape * of_others;
  constexpr double kBeyondRounding = 2;
  return f_tail_at_least(f, above, below) < kBeyondRounding * most && f_tail(f, above, below) < most;
}

}  // namespace

std::vector<bool> blamed_for_more_than_chance(const std::vector<RankBlame>& ranks, size_t steps, double total_ns) {
  std::vector<bool> found(ranks.size(), false);
  const double least = kStragglerShare * total_ns;
  if (steps == 0) return found;
  const std::vector<Causes> tests = tested_together();
  for (const std::vector<Sums>& sums : sums_of(ranks, tests)) {
    const double most = kFalseAlarms / static_cast<double>(tests.size() * std::max<size_t>(1, sums.size()));
    Sums less{};
    bool is_significant = false;
    for (size_t i = 0; i < sums.size(); ++i) {
      if (i >= sums.size() / 2 && sums[i].sum >= least) {
        is_significant = is_significant || is_rarer_than(most, sums[i], less, i, steps);
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
  is_beyond_ = is_beyond_ || is_rarer_than(most, own, less, added_, 1);
  return is_beyond_;
}

void ValueChance::add(double value) {
  ++added_;
  sum_ += value;
  squares_ += value * value;
}

}  // namespace tauprof
