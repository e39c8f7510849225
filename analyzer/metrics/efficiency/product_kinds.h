// The kinds of matrix products that device spans compute, numbered.
#pragma once

#include <map>
#include <vector>

#include "model/rank_operations.h"

namespace tauprof {

class ProductKinds {
 public:
  // Adds to `kinds`. Both must live as long.
  ProductKinds(const ProcessTrace& trace, std::vector<ProductKind>& kinds) : trace_(trace), kinds_(kinds) {}

  // 1 + its index in `kinds`; 0: none whose operations are known, or one kind more than there are numbers.
  uint16_t number_of(const DeviceSpan& span);

 private:
  bool is_tf32(NameId name);

  const ProcessTrace& trace_;
  std::vector<ProductKind>& kinds_;
  std::map<ProductKind, uint16_t> numbers_;
  std::map<NameId, bool> is_tf32_;
};

}  // namespace tauprof
