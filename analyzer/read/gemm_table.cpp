#include "read/gemm_table.h"

#include <algorithm>

namespace tauprof {

void GemmTable::take(const RecordBlock& block) {
  using R = log::Gemm;
  const Column correlation = block.column(&R::correlation), m = block.column(&R::m), n = block.column(&R::n),
               k = block.column(&R::k), batch = block.column(&R::batch);
  for (uint32_t row = 0; row < block.records(); ++row) {
    double flops = 2;
    for (const int64_t factor : {m[row], n[row], k[row], std::max<int64_t>(1, batch[row])})
      flops *= static_cast<double>(factor);
    if (correlation[row] != 0 && flops > 0) flops_.emplace_back(static_cast<uint64_t>(correlation[row]), flops);
  }
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
