// The sections on single pieces of work: "kernels" of the devices, "slow_calls" of the hosts.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json kernels_json(const RunMetrics& metrics);
Json slow_calls_json(const RunMetrics& metrics);

}  // namespace tauprof
