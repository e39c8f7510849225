// A user's choice of steps, by number.
#pragma once

#include <cstdint>

namespace tauprof {

struct StepRange {
  int64_t first = 0;
  int64_t last = 0;  // inclusive

  bool has(int64_t number) const { return number >= first && number <= last; }
};

}  // namespace tauprof
