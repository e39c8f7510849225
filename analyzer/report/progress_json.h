// The sections "progress" and "mismatches" of the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "metrics/run_metrics.h"

namespace tauprof {

nlohmann::ordered_json progress_json(const RunProgress& progress);
nlohmann::ordered_json mismatches_json(const std::vector<CollectiveMismatch>& mismatches);

}  // namespace tauprof
