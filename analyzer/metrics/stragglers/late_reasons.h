// Why ranks were late to one collective: shares of the ranks and causes behind each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "metrics/stragglers/cause.h"
#include "model/flat_map.h"

namespace tauprof {

// A share of the blame for a rank's lateness, and so for the others' waits.
struct BlameShare {
  uint32_t rank;  // index into the timelines
  Cause cause;
  double share;           // of 1
  double own_excess = 0;  // ns that the member itself spent too long since the previous collective
  // The parts of the share that the member brought from earlier collectives, which it left or reached late: by match.
  FlatMap<uint32_t, double> brought{};
};

class LateReasons {
 public:
  // Shares that are added from now on are the rank's, in place of those that it may have.
  void start(uint32_t rank) { late_.push_back({rank, shares_.size()}); }
  void add(BlameShare share) { shares_.push_back(std::move(share)); }
  std::span<const BlameShare> of_last() const { return std::span(shares_).subspan(late_.back().first); }

  // Before any rank is looked up.
  void sort() {
    for (size_t i = 0; i < late_.size(); ++i)
      late_[i].end = i + 1 < late_.size() ? late_[i + 1].first : shares_.size();
    std::stable_sort(late_.begin(), late_.end(), [](const Late& a, const Late& b) { return a.rank < b.rank; });
  }
  // None: it was not late.
  std::optional<std::span<const BlameShare>> of(uint32_t rank) const {
    const auto behind = std::upper_bound(late_.begin(), late_.end(), rank,
                                         [](uint32_t wanted, const Late& late) { return wanted < late.rank; });
    if (behind == late_.begin() || std::prev(behind)->rank != rank) return std::nullopt;
    const Late& late = *std::prev(behind);
    return std::span(shares_).subspan(late.first, late.end - late.first);
  }

 private:
  struct Late {
    uint32_t rank;
    size_t first, end = 0;  // of its shares
  };
  std::vector<BlameShare> shares_;
  std::vector<Late> late_;
};

}  // namespace tauprof
