// The section "input" of the JSON report.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json input_json(const Report& report);

}  // namespace tauprof
