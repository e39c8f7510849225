// The events of one log at other times: those of the same work in another schedule.
//
// A replay says when operations would start and end; here the whole trace follows, so that everything that is said of a
// recorded run can be said of a replayed one, by the same code. Device work takes the times of its operation. Calls
// take theirs, and whatever else happened on a thread (calls inside of others, ranges, marks) keeps its place between
// the calls around it. Example: a thread's calls end at 10 and start again at 50, and would end at 8 and start at 28; a
// range from 20 to 40 lies from 13 to 23.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/process_trace.h"
#include "replay/run_graph.h"

namespace tauprof {

// By how much a start and an end move.
struct Shift {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

// Valid for the complete trace that its operations were made of.
struct Retiming {
  struct Call {
    uint32_t call = kNoIndex;  // index into ProcessTrace::calls
    Shift shift;
  };
  std::vector<Call> calls;  // those that have operations, by thread and start
  // Of each device and span, as ProcessTrace::devices; none: it is no work.
  std::vector<std::vector<std::optional<Shift>>> spans;
  // Of each device, as ProcessOperations::lags: what the recorded run tells, since these times tell it no more.
  std::vector<std::array<Nanoseconds, kEdgeKindCount>> lags;

  bool is_empty() const { return calls.empty() && spans.empty(); }
};

// Of the logs of a run, by file.
using Retimings = std::map<std::string, Retiming>;

// `trace` is complete: what belongs to which step and phase stays as it was in the recorded run. What the device itself
// has said of its waits (NCCL's kernel phases) is dropped: it was so in the recorded run only.
void retime(const Retiming& retiming, ProcessTrace& trace);
// Of the file; null: it has none.
const Retiming* retiming_of(const std::string& file, const Retimings* retimings);

// Of all logs of the run, whose operations know their places and take place in `schedule`.
Retimings retimings_of(const RunGraph& run, const std::vector<RankTimeline>& ranks,
                       const Schedule<Nanoseconds>& schedule);

}  // namespace tauprof
