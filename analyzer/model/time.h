// Time in the analyzer: integer nanoseconds and half-open intervals.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof {

using Nanoseconds = int64_t;

struct Interval {
  Nanoseconds start = 0;
  Nanoseconds end = 0;  // exclusive
  Nanoseconds length() const { return end - start; }
  bool is_empty() const { return end <= start; }
};

// If no steps are known, slices of time replace them: the name of that source of steps, and the length of a slice. A
// second is longer than most steps, but short compared with the phases of a program.
inline constexpr std::string_view kByTime = "time";
inline constexpr Nanoseconds kSliceLength = 1'000'000'000;

}  // namespace tauprof
