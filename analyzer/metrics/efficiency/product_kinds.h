// The kinds of matrix products that device spans compute, numbered.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "model/rank_operations.h"

namespace tauprof {

class ProductKinds {
 public:
  // Adds to `kinds`. Both must live as long.
  ProductKinds(const ProcessTrace& trace, std::vector<ProductKind>& kinds)
      : trace_(trace), kinds_(kinds), number_of_kind_(trace.gemm_kinds.size()) {}

  // 1 + its index in `kinds`; 0: none whose operations are known, or one kind more than there are numbers.
  uint16_t number_of(const DeviceSpan& span);

 private:
  uint16_t number_of(const ProductKind& kind);
  bool is_tf32(NameId name);

  const ProcessTrace& trace_;
  std::vector<ProductKind>& kinds_;
  std::map<ProductKind, uint16_t> numbers_;
  // By kind of the trace, and whether it is in TF32: several functions compute the same product.
  std::vector<std::array<std::optional<uint16_t>, 2>> number_of_kind_;
  std::map<NameId, bool> is_tf32_;
};

}  // namespace tauprof
