// How much of their links' peak large transfers reach, free of waiting.
#pragma once

#include "findings/statement.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

// The large transfer that reaches least; null: of none both times and peak are known.
const CollectiveMetrics* slowest_on_its_link(const RunMetrics& metrics);

// "all_reduce of 32 MiB reaches 31.9 % of 100 GB/s".
Statement link_use_of(const CollectiveMetrics& transfer);

}  // namespace tauprof
