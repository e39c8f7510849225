// The timeline of the HTML page. The first pass over the logs keeps no spans, and which steps are worth showing is
// known only after the pass across ranks; so the logs of the shown ranks are read again.
#pragma once

#include "html/page_timeline.h"
#include "pipeline/replayed_run.h"

namespace tauprof {

// Empty for a run without device times.
PageTimeline step_timeline(const ReplayedRun& run);

}  // namespace tauprof
