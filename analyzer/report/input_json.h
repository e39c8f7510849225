// The section "input" of the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace tauprof {

nlohmann::ordered_json input_json(const Report& report);
// Mean, median and so on in nanoseconds; null without samples.
nlohmann::ordered_json statistics_json(const Statistics& of);

}  // namespace tauprof
