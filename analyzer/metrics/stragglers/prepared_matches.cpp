#include "metrics/stragglers/prepared_matches.h"

#include <future>

namespace tauprof {

void for_each_prepared(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const PipelineStages& stages, const SpendingTable& spending, const std::vector<uint32_t>& order,
                       const std::function<void(const PreparedMatch&)>& take) {
  constexpr size_t kMembersAtOnce = 8192;  // some megabytes
  size_t next = 0;
  const auto prepare_some = [&] {
    std::vector<PreparedMatch> some;
    for (size_t members = 0; next < order.size() && members < kMembersAtOnce; ++next) {
      const MatchedCollective& match = matches[order[next]];
      PreparedMatch& one = some.emplace_back(PreparedMatch{order[next], late_members(ranks, match), {}});
      if (!one.late.empty() && !stages.lies_between(match)) one.spending = spending.of_members(one.match);
      members += match.members.size();
    }
    return some;
  };
  for (std::vector<PreparedMatch> prepared = prepare_some(); !prepared.empty();) {
    std::future<std::vector<PreparedMatch>> following = std::async(prepare_some);
    for (const PreparedMatch& one : prepared) take(one);
    prepared = following.get();
  }
}

}  // namespace tauprof
