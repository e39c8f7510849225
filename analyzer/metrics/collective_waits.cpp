#include "metrics/collective_waits.h"

#include <algorithm>

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

  void split(const MatchedCollective& match) {
    for (const CollectiveMember& member : match.members) {
      RankCollective& own = unit(member);
      const Nanoseconds end = own.end + shift(member);
      Nanoseconds ready = own.start + shift(member);
      for (const CollectiveMember& other : match.members)
        if (const Nanoseconds arrival = unit(other).start + shift(other); arrival < end) ready = std::max(ready, arrival);
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
  quality.clocks_agree = static_cast<double>(quality.contradicting) <= kClockContradictionShare * static_cast<double>(comparable);
  for (const MatchedCollective& match : matches) {
    if (!match.is_complete()) {
      ++quality.incomplete;
    } else if (quality.clocks_agree) {
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
