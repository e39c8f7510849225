// The sections on the costliest work: "kernels" on the devices, "slow_calls" on the hosts.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json kernels_json(const RunMetrics& metrics);
Json calls_json(const RunMetrics& metrics);
Json slow_calls_json(const RunMetrics& metrics);

}  // namespace tauprof
