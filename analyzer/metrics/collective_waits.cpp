#include "metrics/collective_waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "metrics/bandwidth.h"
#include "metrics/thresholds.h"

namespace tauprof {
namespace {

class Splitter {
 public:
  explicit Splitter(std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  bool contradicts(const MatchedCollective& match) const {
    if (!is_all_pairs(match.operation) || match.members.size() < 2) return false;
    Nanoseconds first_end = INT64_MAX, last_start = INT64_MIN;
    for (const CollectiveMember& member : match.members) {
      first_end = std::min(first_end, unit(member).end + shift(member));
      last_start = std::max(last_start, unit(member).start + shift(member));
    }
    return first_end < last_start;
  }

  bool ends_together(const MatchedCollective& match) const {
    Nanoseconds first_end = INT64_MAX, last_end = INT64_MIN, shortest = INT64_MAX;
    for (const CollectiveMember& member : match.members) {
      const RankCollective& own = unit(member);
      first_end = std::min(first_end, own.end + shift(member));
      last_end = std::max(last_end, own.end + shift(member));
      shortest = std::min(shortest, own.end - own.start);
    }
    const auto limit = static_cast<double>(kEndScatter) + kEndScatterOfTransfer * static_cast<double>(shortest);
    return static_cast<double>(last_end - first_end) <= limit;
  }

  void split(const MatchedCollective& match) {
    for (const CollectiveMember& member : match.members) {
      RankCollective& own = unit(member);
      const Nanoseconds end = own.end + shift(member);
      Nanoseconds ready = own.start + shift(member);
      for (const CollectiveMember& other : match.members)
        if (const Nanoseconds arrival = unit(other).start + shift(other); arrival < end)
          ready = std::max(ready, arrival);
      ready -= shift(member);
      // A unit of several point-to-point pairs waits for the last of them.
      own.ready = own.is_split ? std::max(own.ready, ready) : ready;
      own.is_split = true;
      own.is_upper_bound |= !is_all_pairs(match.operation);
    }
  }

 private:
  RankCollective& unit(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }
  Nanoseconds shift(const CollectiveMember& member) const { return ranks_[member.rank].clock_shift; }

  std::vector<RankTimeline>& ranks_;
};

using Communicators = std::set<std::pair<bool, uint64_t>>;

std::pair<bool, uint64_t> communicator_of(const MatchedCollective& match) {
  return {match.has_identity, match.communicator};
}

// Sends and receives of which only the kernel is known: anyone may have been anyone's peer.
bool has_unknown_peers(const MatchedCollective& match) {
  return match.operation == log::Operation::kSendReceive && !match.is_point_to_point;
}

// Communicators of which too many all-pairs collectives do not end together.
Communicators find_ungrouped(const Splitter& splitter, const std::vector<MatchedCollective>& matches) {
  std::map<std::pair<bool, uint64_t>, std::pair<uint64_t, uint64_t>> counts;  // compared, scattered
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete() || !is_all_pairs(match.operation)) continue;
    auto& [compared, scattered] = counts[communicator_of(match)];
    ++compared;
    scattered += !splitter.ends_together(match);
  }
  Communicators found;
  for (const auto& [communicator, count] : counts)
    if (static_cast<double>(count.second) > kClockContradictionShare * static_cast<double>(count.first))
      found.insert(communicator);
  return found;
}

}  // namespace

WaitQuality split_waits(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  Splitter splitter(ranks);
  WaitQuality quality;
  uint64_t comparable = 0;
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete()) continue;
    comparable += is_all_pairs(match.operation);
    quality.contradicting += splitter.contradicts(match);
  }
  const bool are_placed =
      std::all_of(ranks.begin(), ranks.end(), [](const RankTimeline& r) { return r.is_clock_placed; });
  quality.clocks_agree = are_placed && static_cast<double>(quality.contradicting) <=
                                           kClockContradictionShare * static_cast<double>(comparable);
  const Communicators ungrouped = find_ungrouped(splitter, matches);
  quality.not_together = ungrouped.size();
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete() || has_unknown_peers(match)) {
      ++quality.incomplete;
    } else if (quality.clocks_agree && ungrouped.count(communicator_of(match)) == 0) {
      splitter.split(match);
      ++quality.split;
    }
  }
  // Part of a point-to-point unit may lack its peer: then its end cannot be explained by the others.
  for (const MatchedCollective& match : matches)
    if (!match.is_complete())
      for (const CollectiveMember& member : match.members)
        ranks[member.rank].collectives[member.collective].is_split = false;
  return quality;
}

}  // namespace tauprof
