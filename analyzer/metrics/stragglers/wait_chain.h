// From a rank's waiting to its first cause, along the rows of blame (blame_rows.h).
//
// The chain starts at the rank's longest wait, with the rank and the cause that most of it is charged to. Where the
// member that came late had brought that from an earlier collective, the chain goes on there: it had waited in it for
// the same rank, or come late to it. Example: rank 0 waits for rank 2 in collective 20; rank 2 had waited in collective
// 17 for rank 3, whose host was stalled on the way there. The chain is 20, 17.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/blame_rows.h"

namespace tauprof {

// Ranks are indices into the timelines.
struct WaitCharge {
  uint32_t late_rank;  // kNoIndex: nobody
  Cause cause;
  double ns;
};

struct ChainLink {
  uint32_t match;
  uint32_t waiter;  // kNoIndex: all that waited for who came late
  uint32_t came_late;
  double waited_ns;   // by the waiter for everybody, or by all of them for who came late
  double charged_ns;  // of it, to the chain's rank and cause
};

struct WaitChain {
  double waited_ns = 0;  // in all collectives of the choice
  size_t waits = 0;
  std::vector<WaitCharge> charges;  // of that wait, to ranks and causes, the largest first
  std::vector<ChainLink> links;     // empty: the rank waited for nobody
  uint32_t late_rank = kNoIndex;    // of the first link's charge; kNoIndex: nobody is charged with it
  Cause cause = Cause::kUnknown;
  bool is_cut = false;  // the origin of the last link is not known: it lies outside of the analysed steps
};

// `rank`: index into the timelines; `step`: its number, none: all analysed ones. `rows`: of blame_rows().
WaitChain wait_chain(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps, const std::vector<BlameRow>& rows, uint32_t rank,
                     const std::optional<int64_t>& step);

}  // namespace tauprof
