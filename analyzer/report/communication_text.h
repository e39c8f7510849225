// The sections of the text report on waiting by communicator, phase and rank, and on pipelines.
#pragma once

#include <string>

#include "metrics/run_metrics.h"

namespace tauprof {

// Empty for a run without communication.
std::string communication_text(const RunMetrics& metrics);

}  // namespace tauprof
