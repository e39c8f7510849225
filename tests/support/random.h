// The generator's source of randomness: splitmix64, the same sequence on every machine.
#pragma once

#include <cstdint>

namespace tauprof::generator {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t mixed = (state_ += 0x9E3779B97F4A7C15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  // Uniform in [0, limit); 0 for limits below 1.
  int64_t below(int64_t limit) { return limit < 1 ? 0 : static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); }

  // `base` plus or minus at most `permille` of it.
  int64_t around(int64_t base, int64_t permille) {
    const int64_t reach = base * permille / 1000;
    return base - reach + below(2 * reach + 1);
  }

 private:
  uint64_t state_;
};

}  // namespace tauprof::generator
