// Time as the analyzer counts it: integer nanoseconds, half-open intervals.
#pragma once

#include <cstdint>

namespace tauprof {

using Nanoseconds = int64_t;

struct Interval {
  Nanoseconds start = 0;
  Nanoseconds end = 0;  // exclusive
  Nanoseconds length() const { return end - start; }
  bool is_empty() const { return end <= start; }
};

}  // namespace tauprof
