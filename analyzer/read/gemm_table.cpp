#include "read/gemm_table.h"

#include <algorithm>

namespace tauprof {

void GemmTable::add(const log::Gemm& row) {
  double flops = 2;
  for (const int64_t factor : {row.m, row.n, row.k, std::max<int64_t>(1, row.batch)})
    flops *= static_cast<double>(factor);
  if (row.correlation != 0 && flops > 0) flops_.emplace_back(static_cast<uint64_t>(row.correlation), flops);
}

std::vector<GemmWork> GemmTable::by_call(const LargeArray<HostCall>& calls) {
  std::sort(flops_.begin(), flops_.end());
  std::vector<GemmWork> result;
  for (uint32_t i = 0; i < calls.size() && !flops_.empty(); ++i) {
    if (calls[i].call_class != CallClass::kGemm) continue;
    const auto found = std::lower_bound(flops_.begin(), flops_.end(), std::pair{calls[i].correlation, 0.0});
    if (found != flops_.end() && found->first == calls[i].correlation) result.push_back({i, found->second});
  }
  flops_ = {};
  return result;
}

}  // namespace tauprof
