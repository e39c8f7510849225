// Why ranks were late to one collective: shares of the ranks and causes behind each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "metrics/stragglers/cause.h"
#include "model/flat_map.h"
#include "model/on_demand.h"

namespace tauprof {

// A share of the blame for a rank's lateness, and so for the others' waits.
struct BlameShare {
  uint32_t rank;  // index into the timelines
  Cause cause;
  double share;           // of 1
  double own_excess = 0;  // ns that the member itself spent too long since the previous collective
  // The parts of the share that the member brought from earlier collectives, which it left or reached late: by match.
  OnDemand<FlatMap<uint32_t, double>> brought{};
};

class LateReasons {
 public:
  // Shares that are added from now on are the rank's, in place of those that it may have.
  void start(uint32_t rank) { late_.push_back({rank, shares_.size()}); }
  void add(BlameShare share) { shares_.push_back(std::move(share)); }
  // Of the rank that was started as number `place`, from 0.
  std::span<const BlameShare> at(size_t place) const {
    const size_t first = late_[place].first, end = place + 1 < late_.size() ? late_[place + 1].first : shares_.size();
    return std::span(shares_).subspan(first, end - first);
  }

  // Before any rank is looked up.
  void index_by_rank() {
    by_rank_.resize(late_.size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0);
    std::sort(by_rank_.begin(), by_rank_.end(),
              [&](uint32_t a, uint32_t b) { return std::pair(late_[a].rank, a) < std::pair(late_[b].rank, b); });
  }
  // None: it was not late.
  std::optional<std::span<const BlameShare>> of(uint32_t rank) const {
    const auto behind = std::upper_bound(by_rank_.begin(), by_rank_.end(), rank,
                                         [&](uint32_t wanted, uint32_t place) { return wanted < late_[place].rank; });
    if (behind == by_rank_.begin() || late_[*std::prev(behind)].rank != rank) return std::nullopt;
    return at(*std::prev(behind));
  }

 private:
  struct Late {
    uint32_t rank;
    size_t first;  // of its shares
  };
  std::vector<BlameShare> shares_;
  std::vector<Late> late_;
  std::vector<uint32_t> by_rank_;  // places in late_
};

}  // namespace tauprof
