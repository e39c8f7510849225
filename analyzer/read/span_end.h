// The end of a span whose recorded length may be negative or too large, as damaged logs have it.
#pragma once

#include <cstdint>

#include "model/time.h"

namespace tauprof {

inline Nanoseconds end_of(int64_t start, int64_t duration) {
  Nanoseconds end;
  return duration < 0 || __builtin_add_overflow(start, duration, &end) ? start : end;
}

}  // namespace tauprof
