// An interval for how much one side's mean exceeds the other's, by resampling.
//
// One run on each side: blocks of consecutive steps are drawn, so that what neighbours have in common stays together
// (moving blocks: Künsch, Annals of Statistics 17, 1989; wrapped round the end, so that each step counts as often as
// the others: Politis and Romano, 1992). The length of a block is what is best for noise with the series'
// autocorrelation time τ if each step hands a fixed part of it on (Carlstein, Annals of Statistics 14, 1986; for
// overlapping blocks 3/2 the cube): ((3/2) n ((τ² − 1) / (2τ))²)^(1/3). Example: τ = 5.7 and 1,000 steps: blocks of 23.
//
// Several runs on both sides: runs are drawn whole, so that what a run's steps have in common stays together (Davison
// and Hinkley, "Bootstrap methods and their application", 1997, section 3.8).
//
// Resampling narrows intervals of small samples; the percentiles taken are those that Student's t would need (expanded
// percentiles: Hesterberg, The American Statistician 69, 2015).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "metrics/statistics/mean_comparison.h"

namespace tauprof {

// Of a/b − 1, at kConfidence; the same for the same values. None: too few runs to draw from (kFewestRunsToResample), or
// one run against several.
std::optional<Range> bootstrap_interval(const SideSeries& a, const SideSeries& b);

// How many steps are drawn together, from 1 to a quarter of all.
size_t block_length(size_t steps, double autocorrelation_time);

}  // namespace tauprof
