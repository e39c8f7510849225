#include "metrics/link_model/step_count.h"

#include <bit>

namespace tauprof {

using log::Operation;

int32_t step_count(Operation operation, CollectiveAlgorithm algorithm, int32_t ranks) {
  if (ranks < 2) return 0;
  if (operation == Operation::kAllToAll) return ranks - 1;
  const bool is_all_reduce = operation == Operation::kAllReduce;
  if (!is_all_reduce && operation != Operation::kAllGather && operation != Operation::kReduceScatter) return 0;
  const int32_t ways = is_all_reduce ? 2 : 1;  // there, and back
  const int32_t levels = std::bit_width(static_cast<uint32_t>(ranks - 1));
  switch (algorithm) {
    case CollectiveAlgorithm::kUnknown:
    case CollectiveAlgorithm::kRing:
      return ways * (ranks - 1);
    case CollectiveAlgorithm::kTree:
    case CollectiveAlgorithm::kPat:
      return ways * levels;
    default:
      return 1;
  }
}

}  // namespace tauprof
