// Clocks, throttling and waits for a CPU of some ranks, step by step, as the stragglers' causes use them.
#pragma once

#include <cstdint>
#include <vector>

#include "html/page_timeline.h"
#include "pipeline/replayed_run.h"
#include "report/report.h"

namespace tauprof {

// `ranks`: indices into run.ranks.
ShownTelemetry shown_telemetry(const ReplayedRun& run, const Report& report, const std::vector<uint32_t>& ranks);

}  // namespace tauprof
