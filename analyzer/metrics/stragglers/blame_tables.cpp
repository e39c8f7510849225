#include "metrics/stragglers/blame_tables.h"

#include <algorithm>

namespace tauprof {

BlameTables::BlameTables(const std::vector<RankTimeline>& timelines, const std::vector<MatchedCollective>& all_matches,
                         bool keeps_origins_of_shares)
    : ranks(timelines),
      matches(all_matches),
      keeps_origins(keeps_origins_of_shares),
      stages(ranks, matches),
      spending(ranks, matches, stages),
      links(ranks, matches),
      lead(ranks, matches),
      kernel_times(ranks, stages),
      input_times(ranks, stages) {
  for (const RankTimeline& rank : ranks) {
    match_of_unit.emplace_back(rank.collectives.size(), kNoIndex);
    Nanoseconds until = INT64_MIN;
    std::vector<Nanoseconds>& of_rank = waited_until.emplace_back();
    of_rank.reserve(rank.collectives.size());
    for (const RankCollective& collective : rank.collectives)
      of_rank.push_back(until = std::max({until, collective.end, collective.ready}));
  }
  for (uint32_t i = 0; i < matches.size(); ++i)
    for (const CollectiveMember& member : matches[i].members) match_of_unit[member.rank][member.collective] = i;
}

bool BlameTables::is_split(uint32_t match) const {
  const auto& members = matches[match].members;
  return std::all_of(members.begin(), members.end(), [&](const CollectiveMember& member) {
    return ranks[member.rank].collectives[member.collective].is_split;
  });
}

Nanoseconds BlameTables::became_ready(uint32_t match) const {
  Nanoseconds latest = INT64_MIN;
  for (uint32_t i = 0; i < matches[match].members.size(); ++i)
    latest = std::max(latest, ranks[matches[match].members[i].rank].run_clock.to_run(unit(match, i).start));
  return latest;
}

}  // namespace tauprof
