// A bound on the memory that several owners take. Any thread; all of a zeroed object is valid.
#pragma once

#include <stdint.h>

namespace tauprof::log {

class MemoryBudget {
 public:
  // Memory taken earlier counts. Until a bound is set, everything is granted.
  void set_bound(uint64_t bytes) { __atomic_store_n(&bound_, bytes, __ATOMIC_RELAXED); }
  uint64_t bound() const {  // UINT64_MAX: none
    const uint64_t bound = __atomic_load_n(&bound_, __ATOMIC_RELAXED);
    return bound != 0 ? bound : UINT64_MAX;
  }

  // False: not granted. `spared`: bytes that must stay free for other owners.
  bool take(uint64_t bytes, uint64_t spared = 0) {
    const uint64_t taken = __atomic_add_fetch(&taken_, bytes, __ATOMIC_RELAXED);
    if (taken <= bound() && bound() - taken >= spared) return true;
    give_back(bytes);
    return false;
  }
  // For what the recorder cannot do without.
  void take_anyway(uint64_t bytes) { __atomic_add_fetch(&taken_, bytes, __ATOMIC_RELAXED); }
  void give_back(uint64_t bytes) { __atomic_sub_fetch(&taken_, bytes, __ATOMIC_RELAXED); }

  // The largest power of two, from `fewest` to `most`, of entries with `bytes` each that fit into a `share`th of the
  // bound.
  uint32_t entries(uint64_t share, uint64_t bytes, uint32_t fewest, uint32_t most) const {
    uint32_t count = fewest;
    while (count < most && uint64_t{count} * 2 * bytes <= bound() / share) count *= 2;
    return count;
  }

 private:
  uint64_t bound_;  // 0: none
  uint64_t taken_;
};

}  // namespace tauprof::log
