// The timeline of the HTML page. The first pass over the logs keeps no spans, and which steps are worth showing is
// known only after the pass across ranks; so the logs of the shown ranks are read again.
#pragma once

#include "html/page_timeline.h"
#include "phases/phase_rules.h"
#include "pipeline/replayed_run.h"
#include "report/report.h"

namespace tauprof {

// `run`, `report`: as analyze_run left them, by these rules; `progress` may be null. Empty for a run without device
// times, and for an operation trace.
PageTimeline step_timeline(const ReplayedRun& run, const Report& report, const PhaseRules& rules, Progress* progress);

}  // namespace tauprof
