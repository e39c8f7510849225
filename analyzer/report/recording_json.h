// The sections on what was recorded and how well: "run", "quality" and "clock".
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

// What the framework was asked; null if it was not.
Json settings_json(const RunFacts& facts);
Json run_json(const RunFacts& facts);
Json quality_json(const RunFacts& facts, const RunMetrics& metrics);
Json clock_json(const RunMetrics& metrics);

}  // namespace tauprof
