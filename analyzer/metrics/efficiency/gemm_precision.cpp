#include "metrics/efficiency/gemm_precision.h"

#include <algorithm>

namespace tauprof {
namespace {

using log::DataType;

Precision precision_of_type(DataType type) {
  switch (type) {
    case DataType::kFloat64:
    case DataType::kComplex128:
      return Precision::kFp64;
    case DataType::kFloat32:
    case DataType::kComplex64:
      return Precision::kFp32;
    case DataType::kTf32:
      return Precision::kTf32;
    case DataType::kFloat16:
      return Precision::kFp16;
    case DataType::kBfloat16:
      return Precision::kBf16;
    case DataType::kFloat8E4M3:
    case DataType::kFloat8E5M2:
      return Precision::kFp8;
    case DataType::kInt8:
    case DataType::kUint8:
      return Precision::kInt8;
    case DataType::kFloat4:
      return Precision::kFp4;
    default:
      return Precision::kUnknown;
  }
}

bool is_wide_integer(DataType type) {
  switch (type) {
    case DataType::kInt16:
    case DataType::kInt32:
    case DataType::kUint32:
    case DataType::kInt64:
    case DataType::kUint64:
      return true;
    default:
      return false;
  }
}

// The order of Precision is from wide to narrow.
Precision wider(Precision a, Precision b) {
  return a == Precision::kUnknown || b == Precision::kUnknown ? Precision::kUnknown : std::min(a, b);
}

}  // namespace

bool may_be_tf32(const GemmShape& shape) {
  return wider(precision_of_type(shape.type_a), precision_of_type(shape.type_b)) == Precision::kFp32 &&
         (shape.type_compute == DataType::kUnknown || shape.type_compute == DataType::kFloat32);
}

Precision precision_of(const GemmShape& shape, bool has_tf32_kernel) {
  const Precision inputs = wider(precision_of_type(shape.type_a), precision_of_type(shape.type_b));
  const bool is_float = shape.type_compute != DataType::kUnknown && shape.type_compute != DataType::kInt32;
  if (inputs == Precision::kInt8 && is_float) return precision_of_type(shape.type_compute);
  if (inputs != Precision::kFp32) return inputs;
  switch (shape.type_compute) {
    case DataType::kTf32:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return precision_of_type(shape.type_compute);
    default:
      return has_tf32_kernel && may_be_tf32(shape) ? Precision::kTf32 : Precision::kFp32;
  }
}

bool is_counted(const GemmShape& shape) { return !is_wide_integer(shape.type_a) && !is_wide_integer(shape.type_b); }

}  // namespace tauprof
