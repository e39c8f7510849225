// Blame as rows: for each collective, the waiting that is charged to a rank for a cause, and where it came from. Rows
// (rank_blame.h makes them) sum to what BlameTable has of each rank, cause and step.
//
// Example: rank 3 stalls for 40 ms before an all-reduce of tensors. Rank 2, which waits there, comes 40 ms late to an
// all-reduce of gradients, where ranks 0 and 1 wait for it. Of the first one a row says: rank 3, host_stall. Of the
// second one: rank 3, host_stall, brought from the first one by rank 2.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/stragglers/cause.h"

namespace tauprof {

struct BlameRow {
  uint32_t match;           // index into the matched collectives
  uint32_t step;            // in which the late member came: index into the analysed steps
  uint32_t came_late;       // the member that the others waited for: index into the timelines
  uint32_t late_rank;       // who is charged, it or whoever made it late; kNoIndex: nobody
  uint32_t inherited_from;  // the match that it came late from; kNoIndex: it happened since the one before
  Cause cause;
  double ns;  // over all waiting ranks
};

struct WaiterRow {
  uint32_t waiter;  // index into the timelines
  const BlameRow* row;
  double ns;  // of the row's
};

// The rows of one match, by the ranks that waited. `waiting`: those that are wanted; empty: all.
std::vector<WaiterRow> by_waiting_rank(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                                       std::span<const BlameRow> rows, const std::set<uint32_t>& waiting);

}  // namespace tauprof
