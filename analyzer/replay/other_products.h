// Matrix products as they would be in another precision, or with other sizes.
//
// In TF32, a product of float32 is as much faster as the device's peaks differ, but takes no less than moving its
// matrices, and no less than the shortest product of the run. Example: on an A100 (19.5 and 156 TFLOP/s, 2.04 TB/s) a
// product of 4096³ that takes 8 ms takes 1 ms; one of 4096² with 16 columns takes what its 67 MB take, 33 µs.
//
// With sizes that suit tensor cores, a product runs at the rate of its neighbour (metrics/efficiency/product_rates.h).
#pragma once

#include <string>
#include <vector>

#include "replay/changes.h"

namespace tauprof {

class OtherProducts {
 public:
  explicit OtherProducts(const RunGraph& run) : run_(run) {}

  // Of these ranks; empty: of all. Return why it cannot be told; empty: the changes were added.
  std::string in_tf32(const std::vector<int32_t>& ranks, Changes& changes) const;
  std::string aligned(const std::vector<int32_t>& ranks, Changes& changes) const;

 private:
  template <class Take>
  void for_products(const std::vector<int32_t>& ranks, Take&& take) const;

  const RunGraph& run_;
};

}  // namespace tauprof
