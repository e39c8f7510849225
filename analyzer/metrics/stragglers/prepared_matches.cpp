#include "metrics/stragglers/prepared_matches.h"

namespace tauprof {

std::vector<PreparedMatch> MatchPreparation::next() {
  constexpr size_t kMembersAtOnce = 8192;  // some megabytes
  std::vector<PreparedMatch> some;
  for (size_t members = 0; next_ < order_.size() && members < kMembersAtOnce; ++next_) {
    const MatchedCollective& match = matches_[order_[next_]];
    PreparedMatch& one = some.emplace_back(PreparedMatch{order_[next_], late_members(ranks_, match), {}});
    if (!one.late.empty() && !stages_.lies_between(match)) one.spending = spending_.of_members(one.match);
    members += match.members.size();
  }
  return some;
}

}  // namespace tauprof
