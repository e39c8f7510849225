// Each rank's part in its peers' waiting: how long they waited for it, by cause and by step, how late it came to
// collectives, and how much work it did itself.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/cause_times.h"
#include "metrics/stragglers/telemetry_causes.h"

namespace tauprof {

struct BlameRow;

// The times are of others' waiting.
struct RankBlame : CauseTimes {
  int32_t rank = -1;
  double lateness_mean_ns = 0;  // behind the median arrival; 0 where it came earlier
  double lateness_p95_ns = 0;
  bool is_beyond_clocks = false;  // a peer waited for it longer than clocks may put wrong
  double last_share = 0;          // share of its collectives at which it arrived last
  size_t collectives = 0;
  double work_ns = 0;  // mean step time without its own exposed waiting
  bool has_work = false;
  double exposed_wait_ns = 0;  // added to its analysed steps by its own waiting
};

struct BlameTable {
  std::vector<RankBlame> ranks;     // as the timelines
  double unblamed_ns = 0;           // waiting that lies in the nature of a pipeline, or of starting up
  std::vector<double> unblamed_in;  // the same in each analysed step
  double total_ns = 0;              // of all ranks' analysed steps
  bool has_work = false;            // every rank's waiting is known
};

BlameTable blame_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const StepSelection& steps, const TelemetryCauses& telemetry);

// The rows that the table sums up, of the analysed steps; rows of a match stand together.
std::vector<BlameRow> blame_rows(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                 const StepSelection& steps);

}  // namespace tauprof
