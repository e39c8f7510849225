// The hash of the stack tables. Its 64 bits stand for a whole stack: two stacks with the same hash count as one.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

inline uint64_t mix(uint64_t hash, uint64_t word) {
  const auto product = static_cast<unsigned __int128>(hash ^ 0x9E3779B97F4A7C15) * (word ^ 0xE7037ED1A0B428DB);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace tauprof::capture
