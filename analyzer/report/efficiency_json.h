// The section of the JSON report about what of the devices' peak was used.
#pragma once

#include "metrics/run/run_metrics.h"
#include "report/json_values.h"

namespace tauprof {

Json efficiency_json(const RunMetrics& metrics);

}  // namespace tauprof
