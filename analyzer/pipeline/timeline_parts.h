// The parts of the page's timeline (step_timeline.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "html/page_timeline.h"
#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "phases/phase_rules.h"
#include "pipeline/replayed_run.h"
#include "pipeline/span_rows.h"
#include "report/report.h"

namespace tauprof {

// The spans of one rank in some steps, from its log.
// `windows`: of the steps, on the log's clock; empty where the rank does not have one. `most`: spans for each of them.
// The trace must be complete.
RankSpans spans_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const PhaseRules& rules,
                        const ClockMap& clock, const std::vector<Interval>& windows, const std::vector<size_t>& most);

// Which steps a page has with all their spans, and which in short: those lie beside the page in full.
// Moves what is too much for the page to PageTimeline::beside. As given, all steps are whole. Steps without a reason
// are put in short, where all together have more spans than a page.
void shorten_steps(PageTimeline& timeline);

// Clocks, throttling and waits for a CPU of some ranks, step by step, as the stragglers' causes use them.
// `ranks`: indices into run.ranks.
ShownTelemetry shown_telemetry(const ReplayedRun& run, const Report& report, const std::vector<uint32_t>& ranks);

}  // namespace tauprof
