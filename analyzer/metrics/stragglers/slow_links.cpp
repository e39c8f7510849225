#include "metrics/stragglers/slow_links.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"

namespace tauprof {
namespace {

// Communicators can be compared if they have these in common: size, operation, type, count.
using TransferKind = std::tuple<int32_t, log::Operation, log::DataType, int64_t>;

using Matches = std::vector<const MatchedCollective*>;
// By communicator, for those that can be compared: the rank to blame; kNoIndex: it is not slow, or nothing tells.
using Culprits = std::map<uint64_t, uint32_t>;

struct Transfers {
  double total = 0;
  uint64_t count = 0;
  double mean() const { return total / static_cast<double>(count); }
};

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

// Whether communicators are slow, for those that can be compared with others.
std::map<uint64_t, bool> compare(const std::vector<RankTimeline>& ranks, const Matches& matches) {
  std::map<TransferKind, std::map<uint64_t, Transfers>> kinds;
  for (const MatchedCollective* match : matches) {
    Transfers& transfers =
        kinds[{match->expected, match->operation, match->datatype, match->count}][match->communicator];
    transfers.total += static_cast<double>(shortest_span(ranks, *match));
    ++transfers.count;
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
    if (sum.count >= kFewestTransfers) is_slow[communicator] = sum.took > kSlowTransfer * sum.usual;
  return is_slow;
}

// `is_slow`: of those that can be compared. `members`: of each communicator.
Culprits find_culprits(const std::map<uint64_t, bool>& is_slow, const std::map<uint64_t, std::set<uint32_t>>& members) {
  std::set<uint32_t> fine;  // ranks in a communicator that is not slow
  for (const auto& [communicator, slow] : is_slow)
    if (!slow) fine.insert(members.at(communicator).begin(), members.at(communicator).end());
  Culprits culprits;
  for (const auto& [communicator, slow] : is_slow) {
    std::vector<uint32_t> suspects;
    const std::set<uint32_t>& of_it = members.at(communicator);
    if (slow) std::set_difference(of_it.begin(), of_it.end(), fine.begin(), fine.end(), std::back_inserter(suspects));
    culprits[communicator] = suspects.size() == 1 ? suspects.front() : kNoIndex;
  }
  return culprits;
}

int64_t step_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  const RankTimeline& rank = ranks[match.members.front().rank];
  const int32_t step = rank.collectives[match.members.front().collective].step;
  return step == kNoStep ? -1 : rank.steps[step].number;
}

}  // namespace

SlowLinks::SlowLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : culprits_(matches.size(), kNoIndex) {
  Matches all;
  std::map<int64_t, Matches> of_steps;
  std::map<uint64_t, std::set<uint32_t>> members;
  for (const MatchedCollective& match : matches) {
    if (!can_compare(match)) continue;
    all.push_back(&match);
    of_steps[step_of(ranks, match)].push_back(&match);
    for (const CollectiveMember& member : match.members) members[match.communicator].insert(member.rank);
  }
  const std::map<uint64_t, bool> in_run = compare(ranks, all);
  const Culprits of_run = find_culprits(in_run, members);
  std::map<int64_t, Culprits> by_step;
  for (const auto& [step, of_it] : of_steps) {
    std::map<uint64_t, bool> in_step = compare(ranks, of_it);
    in_step.insert(in_run.begin(), in_run.end());  // where too few transfers tell in this step
    by_step[step] = find_culprits(in_step, members);
  }
  for (size_t i = 0; i < matches.size(); ++i) {
    if (!matches[i].has_identity || matches[i].members.empty()) continue;
    const auto here = by_step.find(step_of(ranks, matches[i]));
    const Culprits& judged = here == by_step.end() ? of_run : here->second;
    if (const auto found = judged.find(matches[i].communicator); found != judged.end()) culprits_[i] = found->second;
  }
}

}  // namespace tauprof
