#include "metrics/collectives/bandwidth.h"

namespace tauprof {

using log::DataType;
using log::Operation;

int64_t size_of(DataType type) {
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

int64_t collective_bytes(Operation operation, int64_t count, DataType type, int64_t n) {
  const int64_t bytes = count * size_of(type);
  switch (operation) {
    case Operation::kAllGather:
    case Operation::kReduceScatter:
    case Operation::kAllToAll:
    case Operation::kGather:
    case Operation::kScatter:
      return bytes * n;
    default:
      return bytes;
  }
}

double bus_factor(Operation operation, int64_t n) {
  const double share = n > 0 ? static_cast<double>(n - 1) / static_cast<double>(n) : 0;
  switch (operation) {
    case Operation::kAllReduce:
      return 2 * share;
    case Operation::kAllGather:
    case Operation::kReduceScatter:
    case Operation::kAllToAll:
    case Operation::kGather:
    case Operation::kScatter:
      return share;
    default:
      return 1;
  }
}

bool is_all_pairs(Operation operation) {
  return operation == Operation::kAllReduce || operation == Operation::kAllGather ||
         operation == Operation::kReduceScatter || operation == Operation::kAllToAll ||
         operation == Operation::kBarrier;
}

}  // namespace tauprof
