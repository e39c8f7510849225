#include "metrics/stragglers/late_members.h"

#include <algorithm>

#include "metrics/collectives/collective_evidence.h"

namespace tauprof {
namespace {

class Lateness {
 public:
  Lateness(const std::vector<RankTimeline>& ranks, const MatchedCollective& match)
      : ranks_(ranks),
        match_(match),
        order_(arrivals_of(ranks, match)),
        has_common_end_(ends_of(ranks, match) != Ends::kApart),
        typical_(typical()) {}

  std::vector<LateMember> find() const {
    const std::vector<double> waited = waited_for();
    std::vector<LateMember> late;
    for (size_t i = 0; i < order_.size(); ++i)
      if (waited[i] > 0) late.push_back({order_[i].member, behind_typical(order_[i]), waited[i]});
    return late;
  }

  // By waiting member, in order of arrival, and then by late member.
  std::vector<WaitFor> by_member(const std::set<uint32_t>& waiting) const {
    const size_t n = order_.size();
    std::vector<double> so_far(n, 0);  // until each arrival: each slice over those that it is shared by
    for (size_t i = 0; i + 1 < n; ++i) so_far[i + 1] = so_far[i] + slice(i) / static_cast<double>(n - i - 1);
    const size_t last_to_come = shortest();
    std::vector<WaitFor> waits;
    for (size_t i = 0; i < n; ++i) {
      if (!waiting.empty() && !waiting.contains(match_.members[order_[i].member].rank)) continue;
      const size_t last = last_awaited(i);
      for (size_t late = 0; late < n; ++late) {
        double ns = late > i ? so_far[std::min(late, last)] - so_far[i] : 0;
        if (late == last_to_come) ns += beyond(i, last);
        if (ns > 0) waits.push_back({order_[i].member, order_[late].member, ns});
      }
    }
    return waits;
  }

 private:
  const RankCollective& unit(const Arrival& arrival) const {
    const CollectiveMember& which = match_.members[arrival.member];
    return ranks_[which.rank].collectives[which.collective];
  }
  Nanoseconds ready(const Arrival& arrival) const { return arrival.time + unit(arrival).wait(); }

  double slice(size_t i) const { return static_cast<double>(order_[i + 1].time - order_[i].time); }

  // The last to arrive, by position in the order of arrival, before the member at `i` was ready.
  size_t last_awaited(size_t i) const {
    const auto after = std::upper_bound(order_.begin(), order_.end(), ready(order_[i]),
                                        [](Nanoseconds time, const Arrival& a) { return time < a.time; });
    const size_t last = std::max<size_t>(after - order_.begin(), i + 1) - 1;
    // A receiver waits for its sender, though clocks may say that it was done before.
    const bool waits = last == i && i + 1 < order_.size() && match_.is_point_to_point && unit(order_[i]).wait() > 0;
    return waits ? i + 1 : last;
  }

  // How long the member at `i` waited after that arrival.
  double beyond(size_t i, size_t last) const {
    return has_common_end_ ? static_cast<double>(std::max<Nanoseconds>(0, ready(order_[i]) - order_[last].time)) : 0;
  }

  // By position in the order of arrival.
  std::vector<double> waited_for() const {
    const size_t n = order_.size();
    const size_t last_to_come = shortest();
    std::vector<double> waited(n, 0);
    std::vector<int64_t> waiters(n, 0);  // change in the number of waiting members at each arrival
    for (size_t i = 0; i < n; ++i) {
      const size_t last = last_awaited(i);
      waited[last_to_come] += beyond(i, last);
      ++waiters[i];
      --waiters[last];
    }
    double so_far = 0;
    int64_t waiting = 0;
    for (size_t i = 0; i + 1 < n; ++i) {
      waiting += waiters[i];
      so_far += slice(i) * static_cast<double>(waiting) / static_cast<double>(n - i - 1);
      waited[i + 1] += so_far;
    }
    return waited;
  }

  // Of equal spans the later arrival.
  size_t shortest() const {
    const auto length = [&](size_t i) { return unit(order_[i]).end - unit(order_[i]).start; };
    size_t found = 0;
    for (size_t i = 1; i < order_.size(); ++i)
      if (length(i) <= length(found)) found = i;
    return found;
  }

  // Among those that waited, counted by how long, the one in the middle.
  size_t typical() const {
    double all = 0, lower = 0;
    for (const Arrival& arrival : order_) all += static_cast<double>(unit(arrival).wait());
    for (size_t i = 0; i < order_.size() && all > 0; ++i)
      if ((lower += static_cast<double>(unit(order_[i]).wait())) >= all / 2) return i;
    return (order_.size() - 1) / 2;
  }

  Nanoseconds behind_typical(const Arrival& late) const {
    const Arrival& typical = order_[typical_];
    const Nanoseconds by_clock = late.time - typical.time;
    return has_common_end_ ? std::max(by_clock, unit(typical).wait() - unit(late).wait()) : by_clock;
  }

  const std::vector<RankTimeline>& ranks_;
  const MatchedCollective& match_;
  const std::vector<Arrival> order_;
  const bool has_common_end_;
  const size_t typical_;  // by position in the order of arrival
};

}  // namespace

std::vector<Arrival> arrivals_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  std::vector<Arrival> order;
  for (uint32_t i = 0; i < match.members.size(); ++i) {
    const RankTimeline& rank = ranks[match.members[i].rank];
    order.push_back({rank.arrival(rank.collectives[match.members[i].collective]), i});
  }
  std::sort(order.begin(), order.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
  return order;
}

std::vector<LateMember> late_members(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  return Lateness(ranks, match).find();
}

std::vector<WaitFor> waits_by_member(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                                     const std::set<uint32_t>& waiting) {
  return Lateness(ranks, match).by_member(waiting);
}

}  // namespace tauprof
