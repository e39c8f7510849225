// The row that took longer, or less long, in some steps than in others.
//
// It is the row of the ledger, outside waiting for others, that grew most on some rank: its peers wait for it, so their
// waiting is no news. If communication grew, the collective that did is named, too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "log/format.h"
#include "metrics/statistics/step_selection.h"
#include "model/ledger.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The collectives of one operation and size: mean on their members, without waiting where that is known.
struct ChangedCollective {
  log::Operation operation = log::Operation::kUnknown;
  int64_t bytes = 0;  // 0: not known
  double usual_ns = 0;
  double changed_ns = 0;
};

struct Growth {
  LedgerRow row = LedgerRow::kIdleOther;
  double usual_ns = 0;  // of a rank that is named, in a step
  double changed_ns = 0;
  std::vector<int32_t> ranks;  // on which it grew; empty: all
  std::optional<ChangedCollective> collective;
};

class StepGrowth {
 public:
  StepGrowth(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

  // In the steps `changed`, which take `growth_ns` longer than `others`; negative: what shrank.
  Growth between(const std::set<int64_t>& changed, const std::set<int64_t>& others, double growth_ns) const;

 private:
  struct RankRows {
    int32_t rank;
    std::map<int64_t, LedgerRows> of_step;
  };
  struct Means {
    double usual = 0;
    double changed = 0;
    double growth() const { return changed - usual; }
  };
  using MeansOfRows = std::array<Means, kLedgerRowCount>;

  std::optional<ChangedCollective> collective(const std::set<int64_t>& changed, const std::set<int64_t>& others,
                                              double sign) const;
  static MeansOfRows means(const RankRows& rank, const std::set<int64_t>& changed, const std::set<int64_t>& others);

  const std::vector<const RankTimeline*> ranks_;
  std::vector<RankRows> rows_;
};

}  // namespace tauprof
