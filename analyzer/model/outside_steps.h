// How much of a recording lies in no step.
#pragma once

#include "model/time.h"

namespace tauprof {

// Of one rank, or the sum over several.
struct OutsideSteps {
  Nanoseconds recorded = 0;
  Nanoseconds before = 0;  // the first step
  Nanoseconds between = 0;
  Nanoseconds after = 0;  // the last

  Nanoseconds total() const { return before + between + after; }
  double share() const { return recorded > 0 ? static_cast<double>(total()) / static_cast<double>(recorded) : 0; }
  void add(const OutsideSteps& other) {
    recorded += other.recorded;
    before += other.before;
    between += other.between;
    after += other.after;
  }
};

}  // namespace tauprof
