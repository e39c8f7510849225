// The JSON of what telemetry says of each rank.
#pragma once

#include "metrics/run/run_metrics.h"
#include "report/json_values.h"

namespace tauprof {

Json telemetry_json(const RunMetrics& metrics);

}  // namespace tauprof
