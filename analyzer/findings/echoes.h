// Which stragglers are only echoes of others: ranks that those made late.
//
// A rank's lateness moves on to whoever held it up (metrics/stragglers/blame.h), but only to within some per cent, and some
// per cent of a large wait look like a straggler. The replay knows better: with all stragglers repaired but this one, do
// the steps take any longer than with all repaired? Those that are blamed for least are tried first, so that of many
// ranks that are equally late each is needed, and an echo goes before the rank that it is of.
//
// Example: repaired together, ranks 2 and 7 save 20 ms of a step of 100; rank 2 alone saves 19.9. Rank 7 is an echo.
#pragma once

#include "metrics/run/run_metrics.h"
#include "replay/run_graph.h"

namespace tauprof {

// Takes them out of the run's stragglers. Of a run that cannot be replayed, and of ranks that cannot be repaired, nothing
// is known, and they stay.
void drop_echoes(RunGraph& run, RunMetrics& metrics);

}  // namespace tauprof
