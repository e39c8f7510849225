#include "replay/host_time.h"

#include <algorithm>
#include <numeric>

namespace tauprof {

void HostTime::add(const std::vector<IdlePiece>& pieces) {
  for (const IdlePiece& piece : pieces) {
    rows[static_cast<size_t>(piece.row)] += piece.time.length();
    on_cpu += piece.on_cpu;
  }
}

void HostTime::set_row(OperationLabel& between) const {
  const auto most = std::max_element(rows.begin(), rows.end());
  between.row = *most > 0 ? static_cast<LedgerRow>(most - rows.begin()) : LedgerRow::kIdleHostLaunch;
  const bool is_stall = between.row == LedgerRow::kIdleHostStall;
  if (!is_stall && between.row != LedgerRow::kIdleDataWait) return;
  const Nanoseconds all = std::accumulate(rows.begin(), rows.end(), Nanoseconds(0));
  between.besides_ns = static_cast<uint32_t>(std::min<Nanoseconds>(all - *most + (is_stall ? on_cpu : 0), UINT32_MAX));
}

}  // namespace tauprof
