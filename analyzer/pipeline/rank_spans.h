// The spans of one rank in a few steps, from its log.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "html/page_timeline.h"
#include "model/process_trace.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct RankSpans {
  struct Row {
    std::string label;
    bool is_host = false;
  };
  // Where a collective ran: the start of a span of communication, on the log's clock, and its row.
  using CommStart = std::pair<Nanoseconds, uint32_t>;

  std::vector<Row> rows;
  std::vector<std::string> names;
  std::vector<std::vector<std::vector<ShownSpan>>> steps;  // by step, by row; on the run's clock
  std::vector<CommStart> comm_starts;                      // sorted
  std::vector<uint64_t> merged;                            // by step, as in ShownStep
  std::vector<Nanoseconds> merged_below;
};

// `windows`: of the steps, on the log's clock; empty where the rank does not have one. `most`: spans for each step. The
// trace must be classified and have steps.
RankSpans spans_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const ClockMap& clock,
                        const std::vector<Interval>& windows, size_t most);

}  // namespace tauprof
