#include "metrics/collectives/collective_waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"
#include "metrics/collectives/collective_evidence.h"

namespace tauprof {
namespace {

class Splitter {
 public:
  explicit Splitter(std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  // How long before another member's start one ended: by any time, or by more than the clocks' uncertainty.
  Nanoseconds contradiction(const MatchedCollective& match, bool beyond_uncertainty) const {
    if (!is_all_pairs(match.operation) || match.members.size() < 2) return 0;
    const auto slack = [&](const CollectiveMember& member) { return beyond_uncertainty ? uncertainty(member) : 0; };
    Nanoseconds first_end = INT64_MAX, last_start = INT64_MIN;
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = unit(member);
      first_end = std::min(first_end, on_run(member, collective.end) + slack(member));
      last_start = std::max(last_start, on_run(member, collective.start) - slack(member));
    }
    return std::max<Nanoseconds>(0, last_start - first_end);
  }

  void keep_contradiction(const MatchedCollective& match) {
    const Nanoseconds found = contradiction(match, true);
    for (const CollectiveMember& member : match.members)
      if (RankCollective& own = unit(member); found > own.rare->contradiction) own.rare.edit().contradiction = found;
  }

  bool are_placed(const MatchedCollective& match) const {
    return std::all_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
      return ranks_[member.rank].clock_basis != ClockBasis::kUnknown;
    });
  }

  bool ends_together(const MatchedCollective& match) const {
    Nanoseconds first_end = INT64_MAX, last_end = INT64_MIN;
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = unit(member);
      first_end = std::min(first_end, on_run(member, collective.end));
      last_end = std::max(last_end, on_run(member, collective.end));
    }
    const auto shortest = static_cast<double>(shortest_span(ranks_, match));
    const auto limit = static_cast<double>(kEndScatter) + kEndScatterOfTransfer * shortest;
    return static_cast<double>(last_end - first_end) <= limit;
  }

  void split(const MatchedCollective& match) {
    std::vector<Nanoseconds> arrivals;
    for (const CollectiveMember& member : match.members) arrivals.push_back(on_run(member, unit(member).start));
    std::sort(arrivals.begin(), arrivals.end());
    const Nanoseconds shortest = is_all_pairs(match.operation) ? shortest_span(ranks_, match) : INT64_MAX;
    for (const CollectiveMember& member : match.members) {
      RankCollective& collective = unit(member);
      const Nanoseconds end = on_run(member, collective.end), start = on_run(member, collective.start);
      const auto after = std::lower_bound(arrivals.begin(), arrivals.end(), end);
      Nanoseconds ready = after == arrivals.begin() ? start : std::max(start, *(after - 1));
      // A receiver's data were sent before, whatever the clocks say.
      if (member.receives) ready = std::max(start, std::min(arrivals.back(), end));
      ready = collective.start + std::min(ready - start, collective.end - collective.start);
      ready = std::max(ready, collective.end - std::min(shortest, collective.end - collective.start));
      // A unit of several messages waits for the last of them.
      collective.ready = collective.is_split ? std::max(collective.ready, ready) : ready;
      collective.is_split = true;
      collective.is_upper_bound |= !is_all_pairs(match.operation);
    }
  }

  // Lengths tell nothing if the members may not be those of one collective. If clocks or ends contradict that, only
  // sequence numbers prove it.
  bool can_split_by_length(const MatchedCollective& match) const {
    const auto is_numbered = [&](const CollectiveMember& member) { return unit(member).sequence > 0; };
    return match.has_identity && is_all_pairs(match.operation) &&
           (!are_placed(match) || std::all_of(match.members.begin(), match.members.end(), is_numbered));
  }

  // Whether NCCL reports on each member how long it waited, for the kernels that were recorded, and the same time on
  // all of them after they met. (Kernels that it does not watch seem to have waited for nobody.)
  bool is_reported(const MatchedCollective& match) const {
    if (!is_all_pairs(match.operation)) return false;
    Nanoseconds shortest = INT64_MAX, longest = 0;  // with all members there
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = unit(member);
      const bool is_known = collective.rare->reported_length > 0 && !collective.is_of_several;
      if (!is_known || !are_alike(collective.rare->reported_length, collective.end - collective.start)) return false;
      shortest = std::min(shortest, collective.rare->reported_length - collective.rare->reported_wait);
      longest = std::max(longest, collective.rare->reported_length - collective.rare->reported_wait);
    }
    return are_alike(shortest, longest);
  }

  // The last member to arrive waits for no rank, whatever NCCL reports of it.
  void split_as_reported(const MatchedCollective& match, WaitQuality& quality) {
    ++quality.by_nccl;
    Nanoseconds least = INT64_MAX;
    for (const CollectiveMember& member : match.members) least = std::min(least, unit(member).rare->reported_wait);
    for (const CollectiveMember& member : match.members) {
      RankCollective& collective = unit(member);
      const Nanoseconds wait = std::min(collective.rare->reported_wait - least, collective.end - collective.start);
      if (collective.is_split) {
        const Nanoseconds difference = std::abs(wait - collective.wait());
        ++quality.compared_waits;
        quality.total_difference += static_cast<double>(difference);
        quality.most_difference = std::max(quality.most_difference, difference);
      }
      collective.ready = collective.start + wait;
      collective.is_split = collective.is_reported = true;
      collective.is_by_length = false;
    }
  }

  void split_by_length(const MatchedCollective& match) {
    const Nanoseconds shortest = shortest_span(ranks_, match);
    for (const CollectiveMember& member : match.members) {
      RankCollective& collective = unit(member);
      collective.ready = collective.end - shortest;
      collective.is_split = collective.is_by_length = true;
    }
  }

 private:
  RankCollective& unit(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }
  Nanoseconds on_run(const CollectiveMember& member, Nanoseconds time) const {
    return ranks_[member.rank].run_clock.to_run(time);
  }
  Nanoseconds uncertainty(const CollectiveMember& member) const {
    return ranks_[member.rank].run_clock.uncertainty_at(unit(member).start);
  }

  static bool are_alike(Nanoseconds reported, Nanoseconds other) {
    const double limit = static_cast<double>(kReportedLengthSlack) + kReportedLengthShare * static_cast<double>(other);
    return std::abs(static_cast<double>(reported - other)) <= limit;
  }

  std::vector<RankTimeline>& ranks_;
};

using Communicators = std::set<std::pair<bool, uint64_t>>;

std::pair<bool, uint64_t> communicator_of(const MatchedCollective& match) {
  return {match.has_identity, match.communicator};
}

// Only the kernel of such sends and receives is known: any rank may have been any other's peer.
bool has_unknown_peers(const MatchedCollective& match) {
  return match.operation == log::Operation::kSendReceive && !match.is_point_to_point;
}

// Communicators with too many collectives that should end together and do not.
Communicators find_scattered(const std::vector<RankTimeline>& ranks, const Splitter& splitter,
                             const std::vector<MatchedCollective>& matches) {
  std::map<std::pair<bool, uint64_t>, std::pair<uint64_t, uint64_t>> counts;  // compared, scattered
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete() || ends_of(ranks, match) == Ends::kApart) continue;
    auto& [compared, scattered] = counts[communicator_of(match)];
    ++compared;
    scattered += !splitter.ends_together(match);
  }
  Communicators found;
  for (const auto& [communicator, count] : counts)
    if (static_cast<double>(count.second) > kScatteredShare * static_cast<double>(count.first))
      found.insert(communicator);
  return found;
}

}  // namespace

WaitQuality split_waits(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  Splitter splitter(ranks);
  WaitQuality quality;
  uint64_t comparable = 0, beyond_uncertainty = 0;
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete() || !splitter.are_placed(match)) continue;
    comparable += is_all_pairs(match.operation);
    quality.contradicting += splitter.contradiction(match, false) > 0;
    beyond_uncertainty += splitter.contradiction(match, true) > 0;
    splitter.keep_contradiction(match);
  }
  quality.clocks_agree =
      static_cast<double>(beyond_uncertainty) <= kClockContradictionShare * static_cast<double>(comparable);
  const Communicators scattered = find_scattered(ranks, splitter, matches);
  quality.not_together = scattered.size();
  for (const MatchedCollective& match : matches) {
    const bool have_clocks = quality.clocks_agree && splitter.are_placed(match);
    if (!match.is_complete() || has_unknown_peers(match)) {
      ++quality.incomplete;
      continue;
    }
    const bool is_reported = splitter.is_reported(match);
    if (have_clocks && scattered.count(communicator_of(match)) == 0)
      splitter.split(match);
    else if (splitter.can_split_by_length(match))
      splitter.split_by_length(match), quality.by_length += !is_reported;
    else if (!is_reported) {
      quality.without_clocks += !have_clocks;
      quality.ungrouped += have_clocks;
      continue;
    }
    if (is_reported) splitter.split_as_reported(match, quality);
    ++quality.split;
  }
  // If one message of a unit lacks its peer, the unit's end cannot be explained by the other messages.
  for (const MatchedCollective& match : matches)
    if (!match.is_complete())
      for (const CollectiveMember& member : match.members)
        ranks[member.rank].collectives[member.collective].is_split = false;
  return quality;
}

}  // namespace tauprof
