// The temporal breakdown and communication overlap of HolisticTraceAnalysis (HTA 0.6), by its own definitions, so that
// the two tools can be compared:
//   - Microseconds: starts are rounded up and ends down, so an isolated span within one microsecond counts as −1.
//   - Window: with two or more ProfilerStep#N, the device work launched by calls that start before the last of them;
//     otherwise everything on a stream that has a correlation id.
//   - Communication, memory, synchronisation or computation: by the name alone.
#pragma once

#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

HtaBreakdown hta_breakdown(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
