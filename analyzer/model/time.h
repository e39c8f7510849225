// Time as the analyzer counts it: integer nanoseconds, half-open intervals.
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

// Where no steps are known, slices of time stand in their place: how those are said to be found, and their length. A
// second is longer than most steps, and short beside whatever changes in a program.
inline constexpr std::string_view kByTime = "time";
inline constexpr Nanoseconds kSliceLength = 1'000'000'000;

}  // namespace tauprof
