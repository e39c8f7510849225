// The input of every export format: a finished analysis, then each rank's events, one rank after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "model/process_trace.h"
#include "model/rank_timeline.h"
#include "model/status.h"
#include "report/report.h"

namespace tauprof {

// Refers to an analysis, which must outlive it.
struct RunView {
  const Report& report;
  const std::vector<RankTimeline>& ranks;  // with aligned clocks, by rank
  const std::vector<MatchedCollective>& matches;
  // Whose waiting stands in blame rank by rank; empty: of all ranks together.
  std::set<uint32_t> waiting;  // indices into `ranks`

  // Whether a step is one to write: all are, warm-up too, unless the user chose some.
  bool covers(int64_t step) const {
    const StepSelection& steps = report.metrics.steps.selection;
    return steps.outside == 0 || steps.has(step);
  }
};

// One rank of it with its events. The trace lives only as long as the call that it is passed to.
struct RankView {
  uint32_t index = 0;  // into RunView::ranks
  const RankTimeline& timeline;
  const ProcessTrace& trace;
  const DeviceTrace& device;
  std::optional<Interval> shown = std::nullopt;  // of its time, on the log's clock; none: all

  // Whether some of an event, or an instant, lies in what is shown.
  bool shows(Nanoseconds start, Nanoseconds end) const {
    return !shown || (start < shown->end && std::max(end, start + 1) > shown->start);
  }
};

class RunWriter {
 public:
  virtual ~RunWriter() = default;
  virtual Status start(const RunView& run) = 0;
  virtual Status add_rank(const RunView& run, const RankView& rank) = 0;
  virtual Status finish(const RunView& run) = 0;
};

}  // namespace tauprof
