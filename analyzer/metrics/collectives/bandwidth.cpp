#include "metrics/collectives/bandwidth.h"

namespace tauprof {

using log::DataType;
using log::Operation;

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
