#include "metrics/run/sharding_balance.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// How full the fullest device would be with `more` bytes; nullopt: some device's use or size is not known.
std::optional<double> fullest_with(int64_t more, const std::vector<MemoryOfRank>& memory) {
  double fullest = 0;
  for (const MemoryOfRank& rank : memory) {
    if (!rank.share_of_device() || rank.is_lower_bound) return std::nullopt;
    fullest = std::max(fullest,
                       *rank.share_of_device() + static_cast<double>(more) / static_cast<double>(*rank.device_bytes));
  }
  return memory.empty() ? std::nullopt : std::optional(fullest);
}

}  // namespace

std::optional<bool> ShardingBalance::would_fit() const {
  if (!kept_share_of_device) return std::nullopt;
  return *kept_share_of_device <= kMemoryPressure;
}

std::vector<ShardingBalance> sharding_balance(const std::vector<ParallelGroups>& table,
                                              const std::vector<MemoryOfRank>& memory) {
  std::vector<ShardingBalance> result;
  for (size_t i = 0; i < table.size(); ++i) {
    const ParallelGroups& group = table[i];
    if (group.sharding != Sharding::kWeightsEachPass && group.sharding != Sharding::kWeightsOnce) continue;
    ShardingBalance& balance = result.emplace_back();
    balance.groups = i;
    balance.gather_ns = group.forward_gather_ns + group.backward_gather_ns;
    balance.compute_ns = group.compute_ns;
    if (group.sharding != Sharding::kWeightsEachPass || group.size < 2) continue;
    balance.kept_bytes = std::llround(group.forward_gather_bytes * (group.size - 1) / group.size);
    balance.kept_share_of_device = fullest_with(*balance.kept_bytes, memory);
    balance.gone_ns = group.backward_gather_ns;
    balance.gone_exposed_ns = group.backward_gather_exposed_ns;
  }
  return result;
}

}  // namespace tauprof
