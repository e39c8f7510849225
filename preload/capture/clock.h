// The log's clock: CLOCK_MONOTONIC in nanoseconds. Fit as CUPTI's time stamp callback.
#pragma once

#include <stdint.h>
#include <time.h>

namespace tauprof::capture {

inline uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace tauprof::capture
