// The operations of a stage in the order in which the reference recorded them.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "operations/operation_grid.h"

namespace tauprof {

// By start; of those that start together by sequence, then by the name of the type.
inline std::vector<uint32_t> in_order(const OperationGrid& grid, int32_t stage,
                                      std::initializer_list<OperationType> types) {
  std::vector<uint32_t> found;
  for (const OperationType type : types)
    for (size_t sequence = 0; sequence < grid.count(type, stage); ++sequence)
      found.push_back(*grid.find(type, stage, sequence));
  const auto key = [&](uint32_t operation) {
    const GridOperation& placed = grid.operations()[operation];
    return std::tuple(placed.start_s, placed.sequence, placed.type);
  };
  std::sort(found.begin(), found.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  return found;
}

// The one that ends last; of several the first in order. `operations` is in order and not empty.
inline uint32_t last_to_end(const OperationGrid& grid, const std::vector<uint32_t>& operations) {
  return *std::max_element(operations.begin(), operations.end(), [&](uint32_t a, uint32_t b) {
    return grid.operations()[a].end_s < grid.operations()[b].end_s;
  });
}

}  // namespace tauprof
