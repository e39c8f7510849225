#include "export/collective_matches.h"

#include <algorithm>

namespace tauprof {

CollectiveMatches::CollectiveMatches(const RunView& run) : by_rank_(run.ranks.size()) {
  for (uint32_t match = 0; match < run.matches.size(); ++match)
    for (const CollectiveMember& member : run.matches[match].members)
      by_rank_[member.rank].emplace_back(member.collective, match);
  for (std::vector<Entry>& entries : by_rank_) std::sort(entries.begin(), entries.end());
}

std::span<const CollectiveMatches::Entry> CollectiveMatches::of(uint32_t rank, uint32_t collective) const {
  const auto [first, last] = std::equal_range(by_rank_[rank].begin(), by_rank_[rank].end(), Entry{collective, 0},
                                              [](const Entry& a, const Entry& b) { return a.first < b.first; });
  return {first, last};
}

}  // namespace tauprof
