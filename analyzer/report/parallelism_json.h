// The JSON of how the ranks share the work.
#pragma once

#include "metrics/run/run_metrics.h"
#include "report/json_values.h"

namespace tauprof {

Json parallelism_json(const RunMetrics& metrics);

}  // namespace tauprof
