// The section of the text report on collectives: one line for each communicator, operation, type and size.
#pragma once

#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

// Empty for a run without collectives.
std::string collectives_text(const RunMetrics& metrics, size_t width);

}  // namespace tauprof
