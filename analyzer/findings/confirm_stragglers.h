// Who is a straggler by itself: the replay says.
//
// A rank's lateness moves on to whoever held it up (metrics/stragglers/blame.h), but only to within some per cent, and
// some per cent of a large wait look like a straggler: an *echo*. On the other hand a rank may delay everybody
// without anyone being seen to wait for it (metrics/stragglers/own_excess.h). With all of them repaired but this one,
// do the steps take any longer than with all repaired? Suspects come before those that others waited for, and those
// with little before those with much, so that of many ranks that are equally late each is needed, and an echo goes
// before the rank that it is of. Of a suspect the steps of the others count: whose own steps alone are longer delays
// nobody.
//
// Example: repaired together, ranks 2 and 7 save 20 ms of a step of 100; rank 2 alone saves 19.9. Rank 7 is an echo.
#pragma once

#include "metrics/run/run_metrics.h"
#include "replay/run_graph.h"

namespace tauprof {

// The run's stragglers without echoes, and with the suspects that cost something. Of a run that cannot be replayed, and
// of ranks that cannot be repaired, nothing is known: stragglers stay, suspects are none.
StragglerReport confirmed_stragglers(RunGraph& run, const std::vector<RankTimeline>& ranks, const RunMetrics& metrics);

}  // namespace tauprof
