#include "metrics/stragglers/blame.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/stragglers/late_members.h"

namespace tauprof {
namespace {

void keep_largest(std::vector<BlameShare>& shares) {
  if (shares.size() <= kMostShares) return;
  const auto sum = [&] {
    double total = 0;
    for (const BlameShare& share : shares) total += share.share;
    return total;
  };
  const double before = sum();
  std::nth_element(shares.begin(), shares.begin() + kMostShares, shares.end(),
                   [](const BlameShare& a, const BlameShare& b) { return a.share > b.share; });
  shares.resize(kMostShares);
  const double kept = sum();
  for (BlameShare& share : shares) share.scale(kept > 0 ? before / kept : 1);
}

}  // namespace

BlameTracer::BlameTracer(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : ranks_(ranks),
      matches_(matches),
      stages_(ranks, matches),
      spending_(ranks, matches, stages_),
      links_(ranks, matches),
      lead_(ranks, matches),
      kernel_times_(ranks, stages_),
      input_times_(ranks, stages_),
      reasons_(matches.size()),
      culprits_(matches.size()),
      is_traced_(matches.size()) {
  for (const RankTimeline& rank : ranks) match_of_unit_.emplace_back(rank.collectives.size(), kNoIndex);
  for (uint32_t i = 0; i < matches.size(); ++i)
    for (const CollectiveMember& member : matches[i].members) match_of_unit_[member.rank][member.collective] = i;
}

const RankCollective& BlameTracer::unit(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = matches_[match].members[member];
  return ranks_[which.rank].collectives[which.collective];
}

void BlameTracer::trace_match(uint32_t match, const std::function<void(const Blame&)>& take) {
  std::map<std::pair<uint32_t, Cause>, double> sums;
  double total = 0;
  for (const LateMember& late : late_members(ranks_, matches_[match])) {
    const CollectiveMember& which = matches_[match].members[late.member];
    Blame blame{match, which.rank, which.collective, late.waited, reasons(match, late.member, late.lateness)};
    keep_largest(blame.shares);
    // Unblamed lateness stays unblamed when it carries over to the next collective.
    reasons_[match][blame.late_rank] = blame.shares;
    for (BlameShare& share : blame.shares) {
      share.scale(late.waited);
      sums[{share.rank, share.cause}] += share.share;
    }
    total += late.waited;
    take(blame);
  }
  for (const auto& [who, amount] : sums)
    if (amount > 0) culprits_[match].push_back({who.first, who.second, amount / total});
  keep_largest(culprits_[match]);
  if (matches_[match].is_point_to_point) keep_unwaited(match);
  is_traced_[match] = true;
  // Only the communicator's next collective, which is this one, uses the previous one's reasons.
  if (const uint32_t before = spending_.previous(match); before != kNoIndex) reasons_[before].clear();
}

void BlameTracer::keep_unwaited(uint32_t match) {
  const auto& members = matches_[match].members;
  const auto receiver =
      std::find_if(members.begin(), members.end(), [](const CollectiveMember& one) { return one.receives; });
  if (members.size() != 2 || receiver == members.end()) return;
  const auto member = static_cast<uint32_t>(receiver - members.begin());
  const uint32_t rank = receiver->rank, sender = members[1 - member].rank;
  const Nanoseconds lateness = ranks_[rank].run_clock.to_run(unit(match, member).start) -
                               ranks_[sender].run_clock.to_run(unit(match, 1 - member).end);
  if (lateness <= 0) return;
  unwaited_[match] = lateness;
  reasons_[match][rank] = reasons(match, member, lateness);
  keep_largest(reasons_[match][rank]);
}

Nanoseconds BlameTracer::became_ready(uint32_t match) const {
  Nanoseconds latest = INT64_MIN;
  for (uint32_t i = 0; i < matches_[match].members.size(); ++i)
    latest = std::max(latest, ranks_[matches_[match].members[i].rank].run_clock.to_run(unit(match, i).start));
  return latest;
}

void BlameTracer::trace(const std::function<void(const Blame&)>& take) {
  std::vector<std::pair<Nanoseconds, uint32_t>> by_ready;
  for (uint32_t i = 0; i < matches_.size(); ++i) {
    const bool is_split = std::all_of(matches_[i].members.begin(), matches_[i].members.end(), [&](const auto& member) {
      return ranks_[member.rank].collectives[member.collective].is_split;
    });
    if (is_split && matches_[i].members.size() > 1) by_ready.emplace_back(became_ready(i), i);
  }
  std::sort(by_ready.begin(), by_ready.end());
  for (const auto& [ready, match] : by_ready) trace_match(match, take);
}

}  // namespace tauprof
