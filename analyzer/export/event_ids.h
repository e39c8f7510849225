// Numbers for things of one rank that no other rank's have: the rank's index, then the thing's.
#pragma once

#include <cstdint>

namespace tauprof {

inline int64_t event_id(uint32_t rank, uint32_t index) { return static_cast<int64_t>((uint64_t{rank} << 32) | index); }

}  // namespace tauprof
