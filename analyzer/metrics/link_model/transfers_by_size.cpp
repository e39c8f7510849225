#include "metrics/link_model/transfers_by_size.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"
#include "metrics/link_model/algorithm_steps.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

using TimesBySize = std::map<int64_t, std::vector<Nanoseconds>>;  // by size

class Observations {
 public:
  Observations(const std::vector<RankTimeline>& ranks, const StepSelection& steps) : ranks_(ranks), steps_(steps) {}

  void add(const MatchedCollective& match) {
    if (!match.is_complete() || !is_single(match) || !is_analysed(match)) return;
    const LinkKind kind{match.operation, match.expected, hosts_of(match), algorithm_of(match)};
    const int64_t bytes = collective_bytes(match.operation, match.count, match.datatype, match.expected);
    const Nanoseconds time = shortest_span(ranks_, match);
    if (step_count(kind.operation, kind.algorithm, kind.ranks) > 0 && bytes > 0 && time > 0)
      times_[kind][bytes].push_back(time);
  }

  const std::map<LinkKind, TimesBySize>& times() const { return times_; }

 private:
  const RankCollective& unit(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }

  bool is_analysed(const MatchedCollective& match) const {
    return std::any_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
      const int32_t step = unit(member).step;
      return step != kNoStep && steps_.has(ranks_[member.rank].steps[step].number);
    });
  }

  // One collective, of one size for all: not a group of several, whose kernels share the links, and no exchange of
  // unequal parts. The members of a communicator that is not named are all ranks only if they end together.
  bool is_single(const MatchedCollective& match) const {
    return match.bytes_out == 0 &&
           std::all_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
             const RankCollective& collective = unit(member);
             return !collective.is_of_several && collective.operation == match.operation &&
                    collective.count == match.count && collective.datatype == match.datatype &&
                    (match.has_identity || collective.is_split);
           });
  }

  // The same for all collectives of a communicator.
  int32_t hosts_of(const MatchedCollective& match) {
    const auto [known, is_new] = hosts_.try_emplace({match.has_identity, match.communicator}, 0);
    if (!is_new) return known->second;
    std::set<std::string_view> hosts;
    for (const CollectiveMember& member : match.members) hosts.insert(ranks_[member.rank].host);
    if (hosts.count({}) == 0) known->second = static_cast<int32_t>(hosts.size());
    return known->second;
  }

  // kUnknown also if the members' logs contradict each other.
  CollectiveAlgorithm algorithm_of(const MatchedCollective& match) const {
    CollectiveAlgorithm found = CollectiveAlgorithm::kUnknown;
    for (const CollectiveMember& member : match.members) {
      const CollectiveAlgorithm algorithm = unit(member).algorithm;
      if (algorithm == CollectiveAlgorithm::kUnknown || algorithm == found) continue;
      if (found != CollectiveAlgorithm::kUnknown) return CollectiveAlgorithm::kUnknown;
      found = algorithm;
    }
    return found;
  }

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  std::map<LinkKind, TimesBySize> times_;
  std::map<std::pair<bool, uint64_t>, int32_t> hosts_;  // of communicators
};

// The sizes from `ratio` × the smallest to less than `ratio` times that are put together, and so on.
TransfersOfKind put_together(const TimesBySize& times, double ratio) {
  TransfersOfKind result;
  result.from_bytes = times.begin()->first;
  result.to_bytes = times.rbegin()->first;
  for (auto size = times.begin(); size != times.end();) {
    const auto below = static_cast<double>(size->first) * ratio;
    std::vector<Nanoseconds> all;
    std::vector<int64_t> bytes;
    do {
      all.insert(all.end(), size->second.begin(), size->second.end());
      bytes.insert(bytes.end(), size->second.size(), size->first);
      ++size;
    } while (size != times.end() && static_cast<double>(size->first) < below);
    result.sizes.push_back({statistics_of(std::move(bytes)).median, statistics_of(all).median, all.size()});
  }
  return result;
}

TransfersOfKind by_size(const TimesBySize& times) {
  if (times.size() <= kMostSizes) return put_together(times, 1);
  const double spread = static_cast<double>(times.rbegin()->first) / static_cast<double>(times.begin()->first);
  return put_together(times, std::pow(spread, 1.0 / static_cast<double>(kMostSizes - 1)));
}

}  // namespace

std::map<LinkKind, TransfersOfKind> transfers_by_size(const std::vector<RankTimeline>& ranks,
                                                      const std::vector<MatchedCollective>& matches,
                                                      const StepSelection& steps) {
  Observations observations(ranks, steps);
  for (const MatchedCollective& match : matches) observations.add(match);
  std::map<LinkKind, TransfersOfKind> result;
  for (const auto& [kind, times] : observations.times()) result.emplace(kind, by_size(times));
  return result;
}

}  // namespace tauprof
