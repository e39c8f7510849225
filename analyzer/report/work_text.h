// The sections of the text report on the costliest work: kernels on the devices, slow calls on the hosts.
#pragma once

#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

// Empty for a run without kernels.
std::string kernels_text(const RunMetrics& metrics);
// Empty without recorded stacks.
std::string calls_text(const RunMetrics& metrics);
std::string slow_calls_text(const RunMetrics& metrics);

}  // namespace tauprof
