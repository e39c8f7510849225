// The section "memory" of the JSON report.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

// null where no allocation is known.
Json memory_json(const RunMetrics& metrics);

}  // namespace tauprof
