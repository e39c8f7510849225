// Clocks in nanoseconds. The log's clock is CLOCK_MONOTONIC.
#pragma once

#include <stdint.h>
#include <time.h>

namespace tauprof::capture {

inline uint64_t clock_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The time on the log's clock.
inline uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

}  // namespace tauprof::capture
