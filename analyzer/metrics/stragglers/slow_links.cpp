#include "metrics/stragglers/slow_links.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "metrics/stragglers/slow_transfers.h"

namespace tauprof {
namespace {

// A rank's transfers in one communicator that follow each other and are all slow, or all not: when the first and the
// last of them end, on the rank's clock.
struct Stretch {
  Nanoseconds first;
  Nanoseconds last;
  bool is_slow;
};

class Stretches {
 public:
  // In the order of the transfers.
  void add(Nanoseconds end, bool is_slow) {
    if (stretches_.empty() || stretches_.back().is_slow != is_slow) stretches_.push_back({end, end, is_slow});
    stretches_.back().last = std::max(stretches_.back().last, end);
  }
  // How long those around are as the one that ends then: from the last that differs to the next that does.
  std::pair<Nanoseconds, Nanoseconds> between_others(Nanoseconds end) const {
    const auto own = until(end);
    return {own == stretches_.begin() ? INT64_MIN : std::prev(own)->last,
            own == stretches_.end() || std::next(own) == stretches_.end() ? INT64_MAX : std::next(own)->first};
  }
  // Whether these may be as slow then as another communicator that is slow from `since` to `until`.
  bool may_be_slow(Nanoseconds time, std::pair<Nanoseconds, Nanoseconds> while_other) const {
    const auto next = until(time);
    if (next != stretches_.end() && next->first <= time) return next->is_slow;
    const bool has_before = next != stretches_.begin() && std::prev(next)->last > while_other.first;
    const bool has_after = next != stretches_.end() && next->first < while_other.second;
    return (!has_before && !has_after) || (has_before && std::prev(next)->is_slow) || (has_after && next->is_slow);
  }

 private:
  // The first that is not over before.
  std::vector<Stretch>::const_iterator until(Nanoseconds time) const {
    return std::lower_bound(stretches_.begin(), stretches_.end(), time,
                            [](const Stretch& one, Nanoseconds at) { return one.last < at; });
  }
  std::vector<Stretch> stretches_;
};

class CulpritSearch {
 public:
  CulpritSearch(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
      : ranks_(ranks), matches_(matches), stretches_(ranks.size()) {}

  void add(const JudgedTransfer& transfer) {
    const MatchedCollective& match = matches_[transfer.match];
    for (const CollectiveMember& member : match.members)
      stretches_[member.rank][match.communicator].add(called(ranks_, member).end, transfer.is_slow);
  }

  // Of a slow transfer.
  uint32_t find(uint32_t match) const {
    uint32_t culprit = kNoIndex;
    for (const CollectiveMember& member : matches_[match].members) {
      if (!may_be_slow(matches_[match].communicator, member)) continue;
      if (culprit != kNoIndex) return kNoIndex;
      culprit = member.rank;
    }
    return culprit;
  }

 private:
  // The link of a member of a slow transfer.
  bool may_be_slow(uint64_t communicator, const CollectiveMember& member) const {
    const Nanoseconds end = called(ranks_, member).end;
    const auto& of_rank = stretches_[member.rank];
    const auto slow = of_rank.at(communicator).between_others(end);
    return std::all_of(of_rank.begin(), of_rank.end(),
                       [&](const auto& one) { return one.first == communicator || one.second.may_be_slow(end, slow); });
  }

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  std::vector<std::map<uint64_t, Stretches>> stretches_;  // by rank and communicator
};

}  // namespace

SlowLinks::SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : culprits_(matches.size(), kNoIndex) {
  const std::vector<std::vector<JudgedTransfer>> judged = judge_transfers(ranks, matches);
  CulpritSearch search(ranks, matches);
  std::vector<bool> is_judged(matches.size());
  for (const std::vector<JudgedTransfer>& of_communicator : judged)
    for (const JudgedTransfer& transfer : of_communicator) search.add(transfer), is_judged[transfer.match] = true;
  for (const std::vector<JudgedTransfer>& of_communicator : judged)
    for (const JudgedTransfer& transfer : of_communicator)
      if (transfer.is_slow) culprits_[transfer.match] = search.find(transfer.match);
  // Messages stand behind the other matches of their communicator, whenever they were.
  std::vector<std::tuple<uint64_t, Nanoseconds, uint32_t>> by_time;
  for (uint32_t i = 0; i < matches.size(); ++i)
    if (matches[i].has_identity && !matches[i].members.empty()) {
      const CollectiveMember& member = matches[i].members.front();
      const Nanoseconds end = ranks[member.rank].run_clock.to_run(called(ranks, member).end);
      by_time.emplace_back(matches[i].communicator, end, i);
    }
  std::sort(by_time.begin(), by_time.end());
  uint64_t communicator = 0;
  uint32_t before = kNoIndex;  // the culprit of its last transfer that could be judged
  for (const auto& [of_match, end, i] : by_time) {
    if (std::exchange(communicator, of_match) != of_match) before = kNoIndex;
    if (is_judged[i])
      before = culprits_[i];
    else
      culprits_[i] = before;
  }
}

}  // namespace tauprof
