// Fills the tables of what the analysis found. Numbers are the report's; times are on the run's clock.
#pragma once

#include "export/run_writer.h"
#include "export/table.h"

namespace tauprof {

void add_summary_rows(const RunView& run, TableSink& sink);

}  // namespace tauprof
