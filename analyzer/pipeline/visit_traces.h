// Reads the logs of an analysed run again, for what must see every event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/process_trace.h"
#include "model/progress.h"
#include "model/rank_timeline.h"
#include "model/status.h"
#include "phases/phase_rules.h"
#include "undisturbed/retiming.h"

namespace tauprof {

// `rank`: index into the timelines. The trace has classes and steps, by its own step numbers.
using TraceVisitor = std::function<Status(size_t rank, const ProcessTrace&, const DeviceTrace&)>;

struct SecondReading {
  const PhaseRules* rules = nullptr;  // traces are complete: they have phases and names of frames, too
  bool has_phase_slices = false;      // traces have them, too
  bool keeps_order = false;           // traces have call_order and its like
  bool is_parallel = false;           // several processes at a time; else one is in memory at a time, in order
  bool skips_unreadable = false;      // else the first log that cannot be read ends the reading
  const Retimings* retimings = nullptr;  // traces are at these times
  Progress* progress = nullptr;
};

// `ranks`: as load_run left them; `chosen`: indices of those to visit, a process's devices together. Stops at the first
// failure of the visitor.
Status visit_traces(const std::vector<RankTimeline>& ranks, const std::vector<uint32_t>& chosen,
                    const SecondReading& reading, const TraceVisitor& visit);

}  // namespace tauprof
