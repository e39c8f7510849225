#include "metrics/run/sharding_balance.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// How full the fullest device would be with `more` bytes; nullopt: some device's use or size is not known.
std::optional<double> fullest_with(int64_t more, const std::vector<MemoryOfRank>& memory) {
  double fullest = 0;
  for (const MemoryOfRank& of : memory) {
    if (!of.share_of_device() || of.is_lower_bound) return std::nullopt;
    fullest =
        std::max(fullest, *of.share_of_device() + static_cast<double>(more) / static_cast<double>(*of.device_bytes));
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
    const ParallelGroups& of = table[i];
    if (of.sharding != Sharding::kWeightsEachPass && of.sharding != Sharding::kWeightsOnce) continue;
    ShardingBalance& balance = result.emplace_back();
    balance.groups = i;
    balance.gather_ns = of.forward_gather_ns + of.backward_gather_ns;
    balance.compute_ns = of.compute_ns;
    if (of.sharding != Sharding::kWeightsEachPass || of.size < 2) continue;
    balance.kept_bytes = std::llround(of.forward_gather_bytes * (of.size - 1) / of.size);
    balance.kept_share_of_device = fullest_with(*balance.kept_bytes, memory);
    balance.gone_ns = of.backward_gather_ns;
    balance.gone_exposed_ns = of.backward_gather_exposed_ns;
  }
  return result;
}

}  // namespace tauprof
