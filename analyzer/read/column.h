// One column of a decoded block. A constant or missing column is a single value with stride 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tauprof {

struct Column {
  const int64_t* values;
  uint32_t stride;
  int64_t operator[](size_t row) const { return values[row * stride]; }
};

}  // namespace tauprof
