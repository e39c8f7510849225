// How many independent values a series of steps is worth.
//
// A slow step is often followed by another (a busy host, a warm device), so 1,000 steps tell less about their mean than
// 1,000 throws of a die. The *autocorrelation time* τ = 1 + 2 Σ ρ(k) says how much less: the mean of n steps varies as
// that of n/τ independent ones. Example: noise of which a step hands 70 % on to the next (ρ(k) = 0.7^k) has τ = 5.7, so
// 1,000 steps are worth 176.
//
// τ is estimated by the initial monotone sequence (Geyer, "Practical Markov Chain Monte Carlo", Statistical Science 7,
// 1992): pairs ρ(2m) + ρ(2m+1) count until one is not positive, none for more than the pair before it. Short series
// make all ρ too small, since their own mean is subtracted; what that takes, τ/n, is added and the estimate repeated. τ
// is never taken for less than 1: steps that alternate do not count for more than they are.
#pragma once

#include <cstddef>
#include <vector>

namespace tauprof {

// From 1 to half the number of values; 1 if all are equal, or there are fewer than four.
double autocorrelation_time(const std::vector<double>& values);

// The mean of a series, and how much it is worth.
struct SeriesMean {
  size_t count = 0;
  double mean = 0;
  double effective_count = 0;   // count / τ
  double variance_of_mean = 0;  // as of effective_count independent values; 0 for fewer than two
};

SeriesMean mean_of_series(const std::vector<double>& values);

}  // namespace tauprof
