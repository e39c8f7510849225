#include "findings/link_use.h"

#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {

const CollectiveMetrics* slowest_on_its_link(const RunMetrics& metrics) {
  const CollectiveMetrics* slowest = nullptr;
  for (const CollectiveMetrics& collective : metrics.communication.collectives) {
    if (collective.size_bytes.value_or(0) < kLargeTransfer || !collective.share_of_link()) continue;
    if (slowest == nullptr || *collective.share_of_link() < *slowest->share_of_link()) slowest = &collective;
  }
  return slowest;
}

Statement link_use_of(const CollectiveMetrics& transfer) {
  return said(name_of(transfer.operation), " of ",
              Amount{static_cast<double>(*transfer.size_bytes) / (1 << 20), "MiB", 4}, " reaches ",
              Share{*transfer.share_of_link()}, " of ", Amount{*transfer.link_peak_gb_per_s, "GB/s", 5});
}

}  // namespace tauprof
