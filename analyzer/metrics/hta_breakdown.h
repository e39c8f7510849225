// HolisticTraceAnalysis' (HTA 0.6) temporal breakdown and communication overlap, by its own
// definitions, so that both tools can be held side by side:
//   - microseconds: a start is rounded up, an end down, so that a span within one microsecond counts
//     as −1 where it stands alone;
//   - window: with two or more ProfilerStep#N, device work launched by calls that start before the
//     last of them; otherwise everything on a stream with a correlation id;
//   - communication, memory, synchronisation or computation by the name alone.
#pragma once

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

HtaBreakdown hta_breakdown(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
