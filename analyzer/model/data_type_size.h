// How many bytes an element of a data type has.
#pragma once

#include <cstdint>

#include "log/format.h"

namespace tauprof {

// 0: not known, or less than one byte.
inline int64_t size_of(log::DataType type) {
  using log::DataType;
  switch (type) {
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kFloat8E4M3:
    case DataType::kFloat8E5M2:
      return 1;
    case DataType::kInt16:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return 2;
    case DataType::kInt32:
    case DataType::kUint32:
    case DataType::kTf32:
    case DataType::kFloat32:
      return 4;
    case DataType::kInt64:
    case DataType::kUint64:
    case DataType::kComplex64:
    case DataType::kFloat64:
      return 8;
    case DataType::kComplex128:
      return 16;
    default:
      return 0;
  }
}

}  // namespace tauprof
