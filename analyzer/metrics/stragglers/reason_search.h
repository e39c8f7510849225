// Why members came late to a collective, from what they and their peers spent since the one before, and from what is
// already known of the collectives on the way; stragglers.h explains how.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "metrics/stragglers/blame_tables.h"
#include "metrics/stragglers/charges.h"
#include "metrics/stragglers/late_reasons.h"
#include "metrics/stragglers/prepared_matches.h"
#include "model/flat_map.h"

namespace tauprof {

// What is known of a match, once it was traced.
struct TracedMatch {
  // Of its waits; shares sum as its reasons do.
  struct Culprit {
    uint32_t rank;
    Cause cause;
    double share;
  };
  std::vector<Culprit> culprits;
  std::shared_ptr<const LateReasons> reasons;  // null: nobody can ask for them any more
  Nanoseconds unwaited = 0;                    // of a message: by how much its receiver came when its sender had left
  bool is_traced = false;
};

// One thread's. Reads of a match and of those before it only what has a rank of the match among its members.
class ReasonSearch {
 public:
  // `traced`: by match.
  ReasonSearch(const BlameTables& tables, const std::vector<TracedMatch>& traced)
      : tables_(tables),
        traced_(traced),
        excess_(tables.ranks.size()),
        device_excess_(tables.ranks.size()),
        culprits_of_waits_(tables.ranks.size()) {}

  // Why a member arrived `lateness` after the typical one. Shares sum to 1; to 0 for a communicator's first collective;
  // to less than 1, if part of the lateness lies in the nature of a pipeline or comes from waiting without a known
  // culprit.
  void add_reasons(const PreparedMatch& prepared, uint32_t member, Nanoseconds lateness, LateReasons& found);

 private:
  uint32_t kept_origin(uint32_t match) const { return tables_.keeps_origins ? match : kNoIndex; }
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

  const BlameTables& tables_;
  const std::vector<TracedMatch>& traced_;
  uint32_t upstream_of_ = kNoIndex;  // the match that typical_upstream_ is of
  UpstreamTimes typical_upstream_;
  // Of the member that is being judged.
  Charges excess_;
  Charges device_excess_;  // that a waiting host hides
  Charges culprits_of_waits_;
};

}  // namespace tauprof
