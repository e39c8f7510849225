// Fills the tables of a rank's events: spans, calls, ranges, telemetry, and the names that they have.
#pragma once

#include "export/run_writer.h"
#include "export/table.h"

namespace tauprof {

void add_event_rows(const RankView& rank, TableSink& sink);

}  // namespace tauprof
