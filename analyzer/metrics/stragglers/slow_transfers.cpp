#include "metrics/stragglers/slow_transfers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"

namespace tauprof {
namespace {

// Communicators can be compared if they have these in common: size, operation, type, count.
using TransferKind = std::tuple<int32_t, log::Operation, log::DataType, int64_t>;
// Kind, step, and number among those of its communicator there.
using Place = std::tuple<TransferKind, int64_t, uint32_t>;

struct Transfer {
  Place place;
  uint32_t match;
  double took;
  double usual = 0;

  int64_t step() const { return std::get<1>(place); }
  bool takes_long() const { return took > kSlowTransfer * usual; }
};

bool can_compare(const MatchedCollective& match) {
  return match.has_identity && match.is_complete() && match.count > 0 && !match.is_point_to_point &&
         is_all_pairs(match.operation) && match.members.size() > 1;
}

int64_t step_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  const RankTimeline& rank = ranks[match.members.front().rank];
  const int32_t step = rank.collectives[match.members.front().collective].step;
  return step == kNoStep ? -1 : rank.steps[step].number;
}

std::vector<Transfer> transfers_of(const std::vector<RankTimeline>& ranks,
                                   const std::vector<MatchedCollective>& matches) {
  std::vector<Transfer> transfers;
  std::map<std::tuple<uint64_t, TransferKind>, std::pair<int64_t, uint32_t>> seen;  // in which step, how many
  for (uint32_t i = 0; i < matches.size(); ++i) {
    const MatchedCollective& match = matches[i];
    if (!can_compare(match)) continue;
    const int64_t step = step_of(ranks, match);
    if (step < 0) continue;  // those outside of steps have no place
    const TransferKind kind{match.expected, match.operation, match.datatype, match.count};
    auto& [last_step, number] = seen.try_emplace({match.communicator, kind}, step, 0).first->second;
    if (std::exchange(last_step, step) != step) number = 0;
    transfers.push_back({{kind, step, number++}, i, static_cast<double>(shortest_span(ranks, match))});
  }
  return transfers;
}

// Only those at whose place another communicator has one, too.
std::vector<Transfer> compared(std::vector<Transfer> transfers) {
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.place, a.took, a.match) < std::tie(b.place, b.took, b.match);
  });
  std::vector<Transfer> result;
  for (auto first = transfers.begin(); first != transfers.end();) {
    const auto last =
        std::find_if(first, transfers.end(), [&](const Transfer& one) { return one.place != first->place; });
    const double usual = (first + (last - first - 1) / 2)->took;
    if (last - first > 1)
      for (auto one = first; one != last; ++one) result.emplace_back(*one).usual = usual;
    first = last;
  }
  return result;
}

// Of one communicator, in its order.
std::vector<JudgedTransfer> judge(const std::vector<Transfer>& transfers) {
  std::set<int64_t> steps;
  std::vector<double> usual{0}, taking_long{0};  // sums up to each transfer
  for (const Transfer& one : transfers) {
    steps.insert(one.step());
    usual.push_back(usual.back() + one.usual);
    taking_long.push_back(taking_long.back() + (one.takes_long() ? one.usual : 0));
  }
  const size_t n = transfers.size();
  constexpr size_t kFewest = kFewestTransfers / 2;  // on either side
  const size_t most = std::max(kFewest, n / steps.size() / 2);
  std::vector<JudgedTransfer> judged;
  for (size_t i = 0; i < n; ++i) {
    const size_t beside = std::clamp(std::min(i, n - 1 - i), kFewest, most);
    const size_t around = std::min(n, 2 * beside + 1);
    const size_t first = std::min(i - std::min(i, beside), n - around), last = first + around;
    judged.push_back({transfers[i].match, taking_long[last] - taking_long[first] > (usual[last] - usual[first]) / 2});
  }
  return judged;
}

}  // namespace

std::vector<std::vector<JudgedTransfer>> judge_transfers(const std::vector<RankTimeline>& ranks,
                                                         const std::vector<MatchedCollective>& matches) {
  std::vector<Transfer> all = compared(transfers_of(ranks, matches));
  std::sort(all.begin(), all.end(), [](const Transfer& a, const Transfer& b) { return a.match < b.match; });
  std::map<uint64_t, std::vector<Transfer>> by_communicator;
  for (const Transfer& one : all) by_communicator[matches[one.match].communicator].push_back(one);
  std::vector<std::vector<JudgedTransfer>> judged;
  for (const auto& [communicator, transfers] : by_communicator)
    if (transfers.size() >= kFewestTransfers) judged.push_back(judge(transfers));
  return judged;
}

}  // namespace tauprof
