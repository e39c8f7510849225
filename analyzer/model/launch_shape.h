// How many threads a launch starts: the blocks of its grid, and the threads of a block, in three dimensions each.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace tauprof {

struct LaunchShape {
  std::array<int32_t, 3> grid{}, block{};  // 0: not known

  float threads() const {
    float product = 1;
    for (const auto* const dimensions : {&grid, &block})
      for (const int32_t dimension : *dimensions) product *= static_cast<float>(dimension);
    return product;
  }

  auto operator<=>(const LaunchShape&) const = default;
};

}  // namespace tauprof
