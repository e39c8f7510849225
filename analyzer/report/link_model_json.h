// The section "alpha_beta" of the JSON report: latency and bandwidth of each kind of collective.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json alpha_beta_json(const LinkModel& links);

}  // namespace tauprof
