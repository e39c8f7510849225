#include "findings/link_use.h"

#include <fmt/format.h>

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

std::string link_use_in_words(const CollectiveMetrics& transfer) {
  return fmt::format("{} of {:.4g} MiB reaches {:.1f} % of {:.5g} GB/s", name_of(transfer.operation),
                     static_cast<double>(*transfer.size_bytes) / (1 << 20), 100 * *transfer.share_of_link(),
                     *transfer.link_peak_gb_per_s);
}

}  // namespace tauprof
