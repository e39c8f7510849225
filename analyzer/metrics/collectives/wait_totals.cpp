#include "metrics/collectives/wait_totals.h"

#include <algorithm>
#include <array>
#include <map>

#include "metrics/collectives/clock_doubts.h"
#include "metrics/collectives/communicator_name.h"

namespace tauprof {
namespace {

std::string name_of(const RankTimeline& rank, const RankCollective& unit) {
  if (!unit.has_identity) return "unnamed-" + std::to_string(unit.communicator);
  const auto name = rank.communicator_names.find(unit.communicator);
  return communicator_name(name == rank.communicator_names.end() ? std::string() : name->second, unit.communicator);
}

bool is_analysed(const RankTimeline& rank, const RankCollective& unit, const StepSelection& steps) {
  return unit.step != kNoStep && steps.has(rank.steps[unit.step].number);
}

// For each unit of each rank: how far clocks may put its wait wrong.
std::vector<std::vector<Nanoseconds>> uncertainties(const std::vector<RankTimeline>& ranks,
                                                    const std::vector<MatchedCollective>& matches) {
  std::vector<std::vector<Nanoseconds>> result;
  for (const RankTimeline& rank : ranks) result.emplace_back(rank.collectives.size());
  for (const MatchedCollective& match : matches) {
    const ClockDoubts doubts(ranks, match);
    for (const CollectiveMember& member : match.members) {
      Nanoseconds& doubt = result[member.rank][member.collective];
      doubt = std::max(doubt, doubts.of_wait(member));
    }
  }
  return result;
}

}  // namespace

void WaitTotals::add(const RankCollective& unit, Nanoseconds clock_uncertainty) {
  ++count;
  span += unit.end - unit.start;
  exposed += unit.exposed;
  if (!unit.is_split) {
    unsplit += unit.end - unit.start;
    return;
  }
  wait += unit.wait();
  transfer += unit.transfer();
  exposed_wait += unit.exposed_wait;
  is_upper_bound |= unit.is_upper_bound;
  uncertainty += clock_uncertainty;
}

WaitTable wait_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps) {
  WaitTable table;
  const std::vector<std::vector<Nanoseconds>> unsure = uncertainties(ranks, matches);
  std::map<std::string, WaitTotals> by_communicator;
  std::map<std::pair<bool, uint64_t>, WaitTotals*> of_rank;  // what by_communicator has of its communicators
  const auto rows_of = [&](const RankTimeline& rank, const RankCollective& unit) {
    WaitTotals*& communicator = of_rank[{unit.has_identity, unit.communicator}];
    if (communicator == nullptr) communicator = &by_communicator[name_of(rank, unit)];
    return std::array{&table.total, &table.by_rank.back().second, &table.by_phase[static_cast<size_t>(unit.phase)],
                      communicator};
  };
  for (size_t r = 0; r < ranks.size(); ++r) {
    const RankTimeline& rank = ranks[r];
    table.by_rank.emplace_back(rank.rank, WaitTotals{});
    of_rank.clear();
    for (const RankCollective& unit : rank.untimed_collectives)
      if (is_analysed(rank, unit, steps))
        for (WaitTotals* totals : rows_of(rank, unit)) ++totals->count, ++totals->untimed;
    for (size_t i = 0; i < rank.collectives.size(); ++i) {
      const RankCollective& unit = rank.collectives[i];
      if (!is_analysed(rank, unit, steps)) continue;
      for (WaitTotals* totals : rows_of(rank, unit)) totals->add(unit, unsure[r][i]);
    }
  }
  table.by_communicator.assign(by_communicator.begin(), by_communicator.end());
  std::stable_sort(table.by_communicator.begin(), table.by_communicator.end(),
                   [](const auto& a, const auto& b) { return a.second.span > b.second.span; });
  return table;
}

}  // namespace tauprof
