// Traces the waits in matched collectives to the ranks and causes behind them; stragglers.h explains how.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "metrics/stragglers/cause.h"
#include "metrics/stragglers/charges.h"
#include "metrics/stragglers/compute_lead.h"
#include "metrics/stragglers/input_times.h"
#include "metrics/stragglers/kernel_times.h"
#include "metrics/stragglers/late_reasons.h"
#include "metrics/stragglers/peer_spending.h"
#include "metrics/stragglers/pipeline_stages.h"
#include "metrics/stragglers/prepared_matches.h"
#include "metrics/stragglers/slow_links.h"
#include "model/flat_map.h"

namespace tauprof {

class BlameTracer {
 public:
  // `keeps_origins`: shares say what of them was brought from where.
  BlameTracer(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
              bool keeps_origins);

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
  uint32_t kept_origin(uint32_t match) const { return keeps_origins_ ? match : kNoIndex; }
  // What is reported of a match.
  struct TracedMatch {
    uint32_t match;
    std::vector<LateMember> late;
    std::shared_ptr<const LateReasons> reasons;  // in their order
  };
  TracedMatch trace_match(const PreparedMatch& prepared);
  void report(const TracedMatch& traced, const std::function<void(const Blame&)>& take) const;
  // Of a match's waits; shares sum as its reasons do.
  struct Culprit {
    uint32_t rank;
    Cause cause;
    double share;
  };
  // Of a message whose receiver came when its sender had left: why it was late, although nobody waited.
  void keep_unwaited(const PreparedMatch& prepared, LateReasons& found);
  const RankCollective& unit(uint32_t match, uint32_t member) const;
  Nanoseconds became_ready(uint32_t match) const;  // the latest arrival, on the run's clock
  // Why a member arrived `lateness` after the typical one. Shares sum to 1; to 0 for a communicator's first collective;
  // to less than 1, if part of the lateness lies in the nature of a pipeline or comes from waiting without a known
  // culprit.
  void add_reasons(const PreparedMatch& prepared, uint32_t member, Nanoseconds lateness, LateReasons& found);
  // Of lateness that nothing since the origin explains: the part that the member brought from there, and why.
  struct Inherited {
    double time = 0;
    std::optional<std::span<const BlameShare>> shares;  // none: nobody knows
  };
  Inherited inherited(uint32_t match, uint32_t member, const Spending& own, double unexplained) const;
  // The member's spending beyond the typical one, on the rows of its device's ledger or of its host.
  // `peers`: whom `typical` is of.
  void add_device_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                         KernelTimes::Peers peers, Charges& excess) const;
  void add_communication_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                                Charges& excess);
  // By how much it left the previous collective after the typical member, as who has more tokens does.
  double left_later(uint32_t match, uint32_t member) const;
  // The steps, by number, whose input lies on the way to it.
  std::pair<int64_t, int64_t> steps_since_previous(uint32_t match, uint32_t member) const;
  static Nanoseconds idle_excess(const Spending& own, const Spending& typical);
  void add_host_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical);
  // The waits inside other collectives since the previous one, and who is to blame for them, as far as that is known. A
  // collective that lacks the log of a member counts as waiting.
  double upstream(uint32_t match, uint32_t member, Charges& culprits) const;
  // The same of the typical member: the lower median of the waits for each culprit.
  using UpstreamTimes = FlatMap<std::pair<uint32_t, Cause>, double>;
  const UpstreamTimes& typical_upstream(uint32_t match);

  // Whose link slowed transfers that the member took part in since the previous collective; its own if nothing tells.
  uint32_t slow_link_of(uint32_t match, uint32_t member) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const bool keeps_origins_;
  PipelineStages stages_;
  SpendingTable spending_;
  SlowLinks links_;
  ComputeLead lead_;
  KernelTimes kernel_times_;
  InputTimes input_times_;
  uint32_t upstream_of_ = kNoIndex;  // the match that typical_upstream_ is of
  UpstreamTimes typical_upstream_;
  std::vector<std::vector<uint32_t>> match_of_unit_;                 // by rank and collective
  std::vector<std::vector<Nanoseconds>> waited_until_;               // likewise: at most, in it or in those before it
  std::unordered_map<uint32_t, std::shared_ptr<const LateReasons>>
      reasons_;                                                      // by traced match, while they may be asked for
  std::map<uint32_t, Nanoseconds> unwaited_;                         // lateness, by match
  std::vector<std::vector<Culprit>> culprits_;                       // of each traced match
  std::vector<bool> is_traced_;                                      // by match
  Charges blamed_;                                                   // for the match that is being traced
  // Of the member that is being judged.
  Charges excess_;
  Charges device_excess_;  // that a waiting host hides
  Charges culprits_of_waits_;
};

}  // namespace tauprof
