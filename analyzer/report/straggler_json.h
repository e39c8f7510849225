// The section "stragglers" of the JSON report.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json stragglers_json(const StragglerReport& report);

}  // namespace tauprof
