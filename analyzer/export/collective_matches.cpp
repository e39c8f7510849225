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

std::map<uint64_t, std::vector<int32_t>> known_members(const RunView& run) {
  struct Group {
    int32_t size = 0;
    std::map<int32_t, int32_t> ranks;  // by the number within the communicator
  };
  std::map<uint64_t, Group> groups;
  for (const RankTimeline& rank : run.ranks)
    for (const auto* const collectives : {&rank.collectives, &rank.untimed_collectives})
      for (const RankCollective& collective : *collectives) {
        if (!collective.has_identity || collective.communicator_rank < 0) continue;
        Group& group = groups[collective.communicator];
        group.size = collective.communicator_size;
        group.ranks[collective.communicator_rank] = rank.rank;
      }
  std::map<uint64_t, std::vector<int32_t>> members;
  for (const auto& [identity, group] : groups) {
    if (static_cast<int32_t>(group.ranks.size()) != group.size) continue;
    for (const auto& [position, rank] : group.ranks) members[identity].push_back(rank);
  }
  return members;
}

}  // namespace tauprof
