// The sections of the text report on the costliest work: kernels on the devices, slow calls on the hosts.
#pragma once

#include <cstddef>
#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

// Names fill lines of `width` columns. Empty for a run without kernels.
std::string kernels_text(const RunMetrics& metrics, size_t width);
std::string calls_text(const RunMetrics& metrics, size_t width);
// Empty without recorded stacks.
std::string slow_calls_text(const RunMetrics& metrics, size_t width);

}  // namespace tauprof
