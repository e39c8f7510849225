// The sections "steps" and "phases" of the JSON report.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json steps_json(const Report& report);
Json phases_json(const RunMetrics& metrics);

}  // namespace tauprof
