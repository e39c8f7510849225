#include "metrics/slow_links.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "metrics/bandwidth.h"
#include "metrics/thresholds.h"

namespace tauprof {
namespace {

// What communicators have in common that can be compared: size, operation, type, count.
using Kind = std::tuple<int32_t, log::Operation, log::DataType, int64_t>;

constexpr uint64_t kFewest = 4;  // transfers that say anything about a link

struct Transfers {
  double total = 0;
  uint64_t count = 0;
  double mean() const { return total / static_cast<double>(count); }
};

Nanoseconds shortest_span(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  Nanoseconds shortest = INT64_MAX;
  for (const CollectiveMember& member : match.members) {
    const RankCollective& own = ranks[member.rank].collectives[member.collective];
    shortest = std::min(shortest, own.end - own.start);
  }
  return shortest;
}

bool can_compare(const MatchedCollective& match) {
  return match.has_identity && match.is_complete() && match.count > 0 && !match.is_point_to_point &&
         is_all_pairs(match.operation) && match.members.size() > 1;
}

double typical(const std::map<uint64_t, Transfers>& of_communicators) {
  std::vector<double> means;
  for (const auto& [communicator, transfers] : of_communicators) means.push_back(transfers.mean());
  const auto middle = means.begin() + static_cast<std::ptrdiff_t>((means.size() - 1) / 2);
  std::nth_element(means.begin(), middle, means.end());
  return *middle;
}

// Of the communicators that have others to be compared with: whether they are slow.
std::map<uint64_t, bool> compare(const std::vector<RankTimeline>& ranks,
                                 const std::vector<MatchedCollective>& matches) {
  std::map<Kind, std::map<uint64_t, Transfers>> kinds;
  for (const MatchedCollective& match : matches) {
    if (!can_compare(match)) continue;
    Transfers& of = kinds[{match.expected, match.operation, match.datatype, match.count}][match.communicator];
    of.total += static_cast<double>(shortest_span(ranks, match));
    ++of.count;
  }
  struct Sum {
    double took = 0;
    double usual = 0;
    uint64_t count = 0;
  };
  std::map<uint64_t, Sum> sums;
  for (const auto& [kind, of_communicators] : kinds) {
    if (of_communicators.size() < 2) continue;
    const double usual = typical(of_communicators);
    for (const auto& [communicator, transfers] : of_communicators) {
      Sum& sum = sums[communicator];
      sum.took += transfers.total;
      sum.usual += usual * static_cast<double>(transfers.count);
      sum.count += transfers.count;
    }
  }
  std::map<uint64_t, bool> is_slow;
  for (const auto& [communicator, sum] : sums)
    if (sum.count >= kFewest) is_slow[communicator] = sum.took > kSlowTransfer * sum.usual;
  return is_slow;
}

}  // namespace

SlowLinks::SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : culprits_(matches.size(), kNoIndex) {
  const std::map<uint64_t, bool> is_slow = compare(ranks, matches);
  std::map<uint64_t, std::set<uint32_t>> members;
  std::set<uint32_t> fine;  // ranks in a communicator that is not slow
  for (const MatchedCollective& match : matches) {
    const auto compared = is_slow.find(match.communicator);
    if (!can_compare(match) || compared == is_slow.end()) continue;
    for (const CollectiveMember& member : match.members)
      if (compared->second)
        members[match.communicator].insert(member.rank);
      else
        fine.insert(member.rank);
  }
  std::map<uint64_t, uint32_t> culprit_of;
  for (const auto& [communicator, ranks_of_it] : members) {
    std::vector<uint32_t> suspects;
    std::set_difference(ranks_of_it.begin(), ranks_of_it.end(), fine.begin(), fine.end(), std::back_inserter(suspects));
    if (suspects.size() == 1) culprit_of[communicator] = suspects.front();
  }
  for (size_t i = 0; i < matches.size(); ++i)
    if (const auto found = culprit_of.find(matches[i].communicator);
        matches[i].has_identity && found != culprit_of.end())
      culprits_[i] = found->second;
}

}  // namespace tauprof
