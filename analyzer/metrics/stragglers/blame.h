// Traces the waits in matched collectives to the ranks and causes behind them; stragglers.h explains how.
//
// Matches are traced in the order in which they became ready, some megabytes at a time. While several threads trace
// those, another one reports the ones before and prepares the next ones. What a match needs of those before it has one
// of its ranks among its members. So those are traced at the same time that share no rank with each other, nor with an
// earlier one that is not traced yet. Example: of matches A (ranks 0 and 1), B (2 and 3) and C (0 to 3), A and B are
// traced together, then C.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "metrics/stragglers/reason_search.h"

namespace tauprof {

class BlameTracer {
 public:
  // `keeps_origins`: shares say what of them was brought from where.
  BlameTracer(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches, bool keeps_origins)
      : tables_(ranks, matches, keeps_origins), traced_(matches.size()) {}

  // How long the others waited for one member, shared out to the ranks and causes behind it.
  struct Blame {
    uint32_t match;
    uint32_t late_rank;   // the member: index into the timelines
    uint32_t collective;  // index into its collectives
    double waited;        // by the others, in ns
    std::span<const BlameShare> shares;
  };
  // Reports every blame of the run to `take`, in the order the collectives became ready, from one thread at a time.
  // Call once.
  void trace(const std::function<void(const Blame&)>& take);

 private:
  // What is reported of a match.
  struct Traced {
    uint32_t match = 0;
    std::vector<LateMember> late;
    std::shared_ptr<const LateReasons> reasons;  // in their order
  };
  // One thread's tracing, which uses its memory again and again.
  struct Worker {
    explicit Worker(const BlameTracer& tracer)
        : search(tracer.tables_, tracer.traced_), blamed(tracer.tables_.ranks.size()) {}
    ReasonSearch search;
    Charges blamed;  // for the match that is being traced
  };

  // In their order.
  std::vector<Traced> trace_together(std::vector<PreparedMatch>& prepared);
  // Indices of those that can be traced together, those that can be first first.
  std::vector<std::vector<uint32_t>> waves_of(const std::vector<PreparedMatch>& prepared);
  Traced trace_match(PreparedMatch& prepared, Worker& worker);
  // Of a message whose receiver came when its sender had left: why it was late, although nobody waited.
  void keep_unwaited(const PreparedMatch& prepared, ReasonSearch& search, LateReasons& found);
  void report(const Traced& traced, const std::function<void(const Blame&)>& take) const;

  const BlameTables tables_;
  std::vector<TracedMatch> traced_;  // by match
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<uint32_t> wave_of_rank_;  // the next one that its matches may be in
};

}  // namespace tauprof
