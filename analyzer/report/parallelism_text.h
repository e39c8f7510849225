// How the ranks share the work, as text.
#pragma once

#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

std::string parallelism_text(const RunMetrics& metrics, size_t width);

}  // namespace tauprof
