// The sections of the text report on communication: waiting by communicator, phase and rank, and pipelines.
#pragma once

#include <cstddef>
#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

// Empty for a run without communication.
std::string communication_text(const RunMetrics& metrics, size_t width);

}  // namespace tauprof
