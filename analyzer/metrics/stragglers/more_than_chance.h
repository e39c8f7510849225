// Which ranks are blamed for more than chance puts on a rank.
//
// Jitter makes somebody last in every step, and whoever is last is blamed for all of the step's waiting. So what chance
// blames a rank for in a step is never negative and has a long tail, much like a gamma distribution. What ranks that
// are blamed for little are blamed for shows how large it is and how long its tail. A rank is blamed for more than
// chance if its sum over n steps exceeds theirs by more than two sums of such draws would differ: their ratio has an F
// distribution with 2an and 2aN degrees of freedom, for N of the others' steps with shape a = mean² / variance. That
// holds for a long delay in one step and for a short one in each.
//
// Each cause is tested by itself, against the same cause on other ranks: waits for input are nobody's jitter, kernels
// that take longer may be, whether they are called slow or more. Ranks are tried from the median on, each against all that are blamed for less, so that two
// late ranks do not hide each other. A significant one makes all that are blamed for more significant.
//
// Example: over ten steps three ranks are blamed for 1, 2 and 3 ms, each in steps of 0 to 1 ms (a = 0.5), the fourth
// for 30 ms. Its ratio is 15, with 10 and 30 degrees of freedom: by chance, less than one of a million.
#pragma once

#include <vector>

#include "metrics/stragglers/rank_blame.h"

namespace tauprof {

// For each rank; never one that has no device times. `total_ns`: of all ranks' steps, of which a cause must make up
// kStragglerShare.
std::vector<bool> blamed_for_more_than_chance(const std::vector<RankBlame>& ranks, size_t steps, double total_ns);

// The same for single values, added from the smallest on: of one rank in one step, say.
class ValueChance {
 public:
  // `zeros`: how many of the values are 0; they count as added.
  ValueChance(size_t values, size_t zeros) : values_(values), added_(zeros) {}

  // Whether chance, by what most values are, gives somebody one as large in fewer than kFalseAlarms of runs.
  bool is_beyond(double value);
  void add(double value);

 private:
  const size_t values_;
  size_t added_;
  double sum_ = 0;
  double squares_ = 0;
  bool is_beyond_ = false;  // and so are all that are larger
};

}  // namespace tauprof
